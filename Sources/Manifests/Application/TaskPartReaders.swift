import JSON
import TaskModel

extension DocumentReader {
    /// `budget`; `defaultWallClock` is nil when the task's kind is unknown.
    mutating func budget(_ node: DocumentNode?, default defaultWallClock: TimeSpan?) -> Budget? {
        guard node != nil else {
            guard let wallClock = defaultWallClock else { return nil }
            return Budget(
                wallClock: wallClock, cpuTime: nil, memory: Budget.defaultMemory,
                grace: Budget.defaultGrace(for: wallClock))
        }
        guard let fields = fields(node, keys: ManifestKeys.budget) else { return nil }
        let given = span(
            fields["wallClock"], in: ManifestLimits.wallClock, zeroHint: "a budget of zero ends every run at its start")
        let cpuTime = span(
            fields["cpuTime"], in: ManifestLimits.cpuTime, zeroHint: "a budget of zero ends every run at its start")
        let memory = size(
            fields["memory"], in: ManifestLimits.memory, zeroHint: "a budget of zero ends every run at its start")
        let graceNode = fields["grace"]
        let grace = span(graceNode, in: ManifestLimits.grace)
        guard let wallClock = given ?? (fields["wallClock"] == nil ? defaultWallClock : nil) else { return nil }
        if let graceNode, let grace, grace >= wallClock {
            refuse(
                graceNode, expected: "less than the wall-clock budget of \"\(wallClock.manifestText)\"",
                hint: "the grace is the end of the budget, not an addition to it")
        }
        return Budget(
            wallClock: wallClock, cpuTime: cpuTime, memory: memory ?? Budget.defaultMemory,
            grace: grace ?? Budget.defaultGrace(for: wallClock))
    }

    /// `schedule`.
    mutating func schedule(_ node: DocumentNode?) -> Schedule? {
        guard let node, let fields = fields(node, keys: ManifestKeys.schedule) else { return nil }
        let everyNode = fields["every"]
        let calendarNode = fields["calendar"]
        if (everyNode == nil) == (calendarNode == nil) {
            refuse(
                node, expected: "either \"every\" or \"calendar\"",
                found: everyNode == nil ? "neither \"every\" nor \"calendar\"" : "both \"every\" and \"calendar\"")
        }
        let every = span(
            everyNode, in: ManifestLimits.every, zeroHint: "leave out \"schedule\" for a task that runs when asked to")
        let calendar = calendar(calendarNode)
        let timeZone = timeZone(fields["timeZone"])
        if let zone = fields["timeZone"], calendarNode == nil {
            refuse(zone, expected: "a time zone only with \"calendar\"")
        }
        let jitterNode = fields["jitter"]
        let jitter = span(jitterNode, in: ManifestLimits.jitter)
        if let jitterNode, let jitter, let every, jitter > every {
            refuse(jitterNode, expected: "at most \"every\", \"\(every.manifestText)\"")
        }
        let catchUp = choice(fields["catchUp"], CatchUp.allCases.map { ($0.rawValue, $0) })
        return Schedule(
            every: every, calendar: calendar, timeZone: timeZone, jitter: jitter ?? .zero, catchUp: catchUp ?? .latest)
    }

    private mutating func calendar(_ node: DocumentNode?) -> CalendarExpression? {
        let expected = "five cron fields such as \"30 2 * * MON-FRI\""
        guard let node, let text = text(node, limit: CalendarSyntax.maximumLength, expected: expected) else {
            return nil
        }
        do throws(SyntaxFault) {
            return try CalendarSyntax.parse(text)
        } catch {
            refuse(node, error)
            return nil
        }
    }

    private mutating func timeZone(_ node: DocumentNode?) -> String? {
        let expected = "an IANA time zone such as \"Europe/Berlin\""
        guard let node, let text = text(node, limit: 64, expected: expected) else { return nil }
        // The host looks the name up below its zone folder: it must stay there.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isZone = parts.allSatisfy { part in
            part.first.map(ASCII.isLetter) == true
                && part.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_+-".utf8.contains($0) }
        }
        guard isZone else {
            refuse(node, expected: expected)
            return nil
        }
        return text
    }

    /// `retry`.
    mutating func retry(_ node: DocumentNode?) -> Retry? {
        guard let fields = fields(node, keys: ManifestKeys.retry) else { return nil }
        let range = ManifestLimits.attempts
        let attempts = integer(
            required(fields, "attempts", expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"),
            in: range)
        let backoff = span(fields["backoff"], in: ManifestLimits.backoff)
        guard let attempts else { return nil }
        return Retry(attempts: UInt32(attempts), backoff: backoff ?? ManifestLimits.defaultBackoff)
    }

    /// `requires`.
    mutating func requirements(_ node: DocumentNode?) -> Requirements {
        guard let fields = fields(node, keys: ManifestKeys.requires) else { return Requirements() }
        return Requirements(
            externalPower: bool(fields["externalPower"]) ?? false, network: bool(fields["network"]) ?? false)
    }

    /// `settings` as one line of JSON text.
    mutating func settings(_ node: DocumentNode?) -> String? {
        guard let node else { return nil }
        guard case .object = node.value.content else {
            refuse(node, expected: "an object")
            return nil
        }
        let text = node.value.compactText
        guard text.utf8.count <= ManifestLimits.settingsBytes else {
            refuse(
                node, expected: "at most \(ManifestLimits.settingsBytes) bytes",
                found: "settings of \(text.utf8.count) bytes",
                hint: "put the data into a file and name that")
            return nil
        }
        return text
    }
}
