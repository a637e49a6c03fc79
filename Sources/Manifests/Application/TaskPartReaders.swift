import JSON
import TaskModel

extension DocumentReader {
    /// `budget`; `kind` is nil when it is at fault.
    ///
    /// - Parameter isProgram: limits may be `"none"`.
    mutating func budget(
        _ node: DocumentNode?, of kind: TaskKind?, in profile: LimitsProfile, isProgram: Bool
    ) -> Budget? {
        let defaultWallClock = kind.map { profile.wallClock(of: $0) }
        let defaultStall = kind == .continuedProcessing ? profile.progressStall : nil
        guard node != nil else {
            guard let wallClock = defaultWallClock else { return nil }
            return Budget(
                wallClock: wallClock, cpuTime: nil, memory: Budget.defaultMemory, disk: profile.disk,
                grace: Budget.defaultGrace(for: wallClock), stall: defaultStall)
        }
        guard let fields = fields(node, keys: ManifestKeys.budget) else { return nil }
        let endless = endless(in: fields, isProgram: isProgram)
        func limit(_ key: String, _ bit: Budget.Keys) -> DocumentNode? { endless.contains(bit) ? nil : fields[key] }
        let zeroHint = "a budget of zero ends every run at its start"
        let given =
            endless.contains(.wallClock)
            ? TimeSpan.unlimited : span(fields["wallClock"], in: ManifestLimits.wallClock, zeroHint: zeroHint)
        let cpuTime = span(limit("cpuTime", .cpuTime), in: ManifestLimits.cpuTime, zeroHint: zeroHint)
        let memory =
            endless.contains(.memory)
            ? ByteCount.unlimited : size(fields["memory"], in: ManifestLimits.memory, zeroHint: zeroHint)
        let disk =
            endless.contains(.disk)
            ? ByteCount.unlimited
            : size(fields["disk"], in: ManifestLimits.disk, zeroHint: "without a byte no file can be kept")
        let graceNode = fields["grace"]
        let grace = span(graceNode, in: ManifestLimits.grace)
        let stall = span(fields["stall"], in: ManifestLimits.stall)
        if let stallNode = fields["stall"], let kind, kind != .continuedProcessing {
            refuse(
                stallNode, expected: "no \"stall\" but for the kind continuedProcessing",
                hint: "tasks of the kind \(kind.name) report no progress")
        }
        guard let wallClock = given ?? (fields["wallClock"] == nil ? defaultWallClock : nil) else { return nil }
        if let graceNode, let grace, grace >= wallClock {
            refuse(
                graceNode, expected: "less than the wall-clock budget of \"\(wallClock.manifestText)\"",
                hint: "the grace is the end of the budget, not an addition to it")
        }
        var budget = Budget(
            wallClock: wallClock, cpuTime: cpuTime, memory: memory ?? Budget.defaultMemory, disk: disk ?? profile.disk,
            grace: grace ?? Budget.defaultGrace(for: wallClock), stall: stall ?? defaultStall,
            declared: declared(in: fields))
        budget.isMonitored = !endless.contains(.cpuTime)
        return budget
    }

    /// The limits that are `"none"`: a program may have none, as under cron.
    private mutating func endless(in fields: DocumentFields, isProgram: Bool) -> Budget.Keys {
        let keys: [(String, Budget.Keys)] = [
            ("wallClock", .wallClock), ("cpuTime", .cpuTime), ("memory", .memory), ("disk", .disk),
        ]
        var endless: Budget.Keys = []
        for (key, bit) in keys {
            guard let node = fields[key], case .string("none") = node.value.content else { continue }
            endless.insert(bit)
            guard !isProgram else { continue }
            refuse(
                node, expected: "a limit",
                hint: "only a task whose handler is a \"command\" may be without one")
        }
        return endless
    }

    private func declared(in fields: DocumentFields) -> Budget.Keys {
        let keys: [(String, Budget.Keys)] = [
            ("wallClock", .wallClock), ("cpuTime", .cpuTime), ("memory", .memory), ("grace", .grace),
            ("stall", .stall), ("disk", .disk),
        ]
        return keys.reduce(into: []) { if fields[$1.0] != nil { $0.insert($1.1) } }
    }

    /// `schedule`.
    mutating func schedule(_ node: DocumentNode?) -> Schedule? {
        guard let node, let fields = fields(node, keys: ManifestKeys.schedule) else { return nil }
        let everyNode = fields["every"]
        let calendarNode = fields["calendar"]
        let forms = ["every", "calendar", "boot"].filter { fields[$0] != nil }
        if forms.count != 1 {
            refuse(
                node, expected: "one of \"every\", \"calendar\" and \"boot\"",
                found: forms.isEmpty ? "none of them" : forms.map { "\"\($0)\"" }.joined(separator: " and "))
        }
        if let boot = fields["boot"], bool(boot) == false {
            refuse(boot, expected: "true", hint: "leave it out for other times")
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
        let overlap = choice(fields["overlap"], Overlap.allCases.map { ($0.rawValue, $0) })
        let payload = text(
            fields["payload"], limit: ManifestLimits.schedulePayload, expected: "a text, the payload of scheduled runs")
        var schedule = Schedule(
            every: every, calendar: calendar, timeZone: timeZone, jitter: jitter ?? .zero, catchUp: catchUp ?? .latest,
            overlap: overlap ?? .queue,
            payload: payload ?? "")
        schedule.isAtBoot = fields["boot"] != nil
        if let node = fields["scope"] {
            schedule.scope = choice(node, ScheduleScope.allCases.map { ($0.rawValue, $0) }) ?? .host
            if schedule.scope == .fleet { checkFleet(node, fields) }
        }
        return schedule
    }

    /// Hosts have to find the same times, each by itself.
    private mutating func checkFleet(_ node: DocumentNode, _ fields: DocumentFields) {
        if fields["calendar"] == nil || fields["timeZone"] == nil {
            refuse(
                node, expected: "\"calendar\" and \"timeZone\" beside \"fleet\"",
                hint: "every host has to find the same times")
        }
        for key in ["jitter", "overlap"] {
            guard let other = fields[key] else { continue }
            refuse(
                other, expected: "no \"\(key)\" beside \"scope\": \"fleet\"",
                hint: "each time is a request of the fleet of its own")
        }
    }

    /// `retry`.
    mutating func retry(_ node: DocumentNode?) -> Retry? {
        guard let fields = fields(node, keys: ManifestKeys.retry) else { return nil }
        let range = ManifestLimits.attempts
        let attempts = integer(
            required(fields, "attempts", expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"),
            in: range)
        let backoff = span(fields["backoff"], in: ManifestLimits.backoff)
        let jitter = span(fields["jitter"], in: ManifestLimits.retryJitter)
        guard let attempts else { return nil }
        return Retry(
            attempts: UInt32(attempts), backoff: backoff ?? ManifestLimits.defaultBackoff, jitter: jitter ?? .zero)
    }

    /// `requires`.
    mutating func requirements(_ node: DocumentNode?, of kind: TaskKind?) -> Requirements {
        var requirements = Requirements(of: kind)
        guard let fields = fields(node, keys: ManifestKeys.requires) else { return requirements }
        for condition in Condition.ofMachine {
            guard let form = condition.requirement, let level = level(fields[form.key], form) else { continue }
            requirements[condition.name] = level
        }
        return requirements
    }

    /// The patterns of `requires`, by condition, with their positions.
    mutating func patterns(_ node: DocumentNode?) -> [ConditionName: [(text: String, node: DocumentNode)]] {
        guard let members = node?.value.object, let node else { return [:] }
        var patterns: [ConditionName: [(text: String, node: DocumentNode)]] = [:]
        for condition in Condition.all {
            guard let form = condition.requirement, case .patterns = form.values,
                let value = members.last(where: { $0.key == form.key })?.value,
                let nodes = elements(
                    DocumentNode(value, at: node.path.member(form.key)), limit: ManifestLimits.patterns, of: "paths")
            else { continue }
            for node in nodes {
                guard let text = path(node, PatternSyntax.fault) else { continue }
                patterns[condition.name, default: []].append((text, node))
            }
        }
        return patterns
    }

    private mutating func level(_ node: DocumentNode?, _ form: RequirementForm) -> UInt64? {
        guard let node else { return nil }
        switch form.values {
        case .flag: return bool(node).map { $0 ? 1 : 0 }
        case .words(let words): return level(node, words)
        case .size(let range): return size(node, in: range)?.bytes
        case .patterns: return nil
        }
    }

    private mutating func level(_ node: DocumentNode, _ words: [(word: String, level: UInt64)]) -> UInt64? {
        switch node.value.content {
        case .bool(let isNeeded): return isNeeded ? words.first?.level : 0
        case .string(let word):
            if let match = words.first(where: { $0.word == word }) { return match.level }
        case .null, .integer, .unsigned, .double, .array, .object: break
        }
        let names = words.map { "\"\($0.word)\"" }
        return refused(
            node, expected: "true, false, " + names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""),
            hint: node.value.string.flatMap { Nearest.hint(for: $0, among: words.map(\.word)) })
    }

    /// `settings` as one line of JSON text, each token as it was written.
    mutating func settings(_ node: DocumentNode?) -> String? {
        guard let node else { return nil }
        guard case .object = node.value.content else { return refused(node, expected: "an object") }
        let line = node.value.oneLine(of: text)
        guard line.count <= ManifestLimits.settingsBytes else {
            return refused(
                node, expected: "at most \(ManifestLimits.settingsBytes) bytes",
                found: "settings of \(line.count) bytes",
                hint: "put the data into a file and name that")
        }
        return String(decoding: line, as: UTF8.self)
    }
}
