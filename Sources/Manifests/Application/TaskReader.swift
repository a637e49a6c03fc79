import JSON
import TaskModel

/// Reads one task of a manifest.
struct TaskReader {
    /// The position of the identifier.
    let key: DocumentNode
    let identifier: String
    let profile: LimitsProfile
    /// The manifest's `backgroundModes`; nil when it has none.
    let modes: [String]?
    let hasLibrary: Bool
    /// Paths that the manifest's permissions let it read.
    let granted: [String]
    /// It is the one that renews credentials (`transfers.renew`).
    let isRenewal: Bool

    /// Where its manifest lets it connect.
    let grants: [NetworkGrant]

    /// The task, and those that commands of its `onFailure` and `onOutput` are; none, or something incomplete, when faults were noted.
    func read(_ node: DocumentNode, into document: inout DocumentReader) -> [TaskDefinition] {
        guard let fields = document.fields(node, keys: ManifestKeys.task, expected: "an object, a task") else {
            return []
        }
        let kinds = TaskKind.declarable.map { ($0.name, $0) }
        let kindNode = document.required(
            fields, "kind", expected: "one of " + kinds.map { "\"\($0.0)\"" }.joined(separator: ", "))
        let kind = document.choice(kindNode, kinds)
        let handler = handler(fields, &document)
        let budget = document.budget(fields["budget"], of: kind, in: profile, isProgram: handler?.isProgram ?? true)
        let schedule = document.schedule(fields["schedule"])
        let retry = document.retry(fields["retry"])
        let settings = document.settings(fields["settings"])
        let secrets = document.secrets(fields["secrets"], for: handler)
        let requires = document.requirements(fields["requires"], of: kind)
        let patterns = patterns(fields["requires"], &document)
        if let node = fields["after"], kind == .continuedProcessing {
            document.refuse(
                node, expected: "no \"after\" for continuedProcessing",
                hint: "the user's action in the foreground starts it")
        }
        let priority = document.choice(fields["priority"], WorkPriority.allCases.map { ($0.name, $0) })
        if let node = fields["priority"], kind == .continuedProcessing {
            document.refuse(
                node, expected: "no \"priority\" for continuedProcessing",
                hint: "it starts before everything else, in the order in which the user asked for it")
        }
        if schedule?.overlap == .allow { checkOverlap(kind, fields, &document) }
        if schedule?.scope == .fleet { checkFleet(kind, fields, &document) }
        if identifier.hasSuffix(".*") { checkWildcard(kind, handler, fields, &document) }
        if let kind, let kindNode { lintMode(kind, kindNode, &document) }
        if let budget { lint(fields, budget, schedule, &document) }
        let answer = document.failureAnswer(fields["onFailure"], hasLibrary: hasLibrary, grants: grants)
        let reader = document.outputAnswer(fields["onOutput"], hasLibrary: hasLibrary)
        guard let kind, let handler, let budget else { return [] }
        var task = TaskDefinition(
            identifier: identifier, kind: kind, handler: handler, budget: budget, settings: settings ?? "{}",
            schedule: schedule, retry: retry, requires: requires)
        task.patterns = patterns
        task.priority = priority ?? .normal
        task.secrets = secrets
        task.after = document.identifier(fields["after"])
        task.learned = document.learned(fields["learned"])
        var others: [TaskDefinition] = []
        task.answeredEnds = answer?.ends ?? task.answeredEnds
        switch answer?.answer {
        case nil: break
        case .task(let name): task.onFailure = name
        case .webhook(let url): task.webhook = url
        case .command(let command):
            guard let other = follower("onFailure", command, fields, &document) else { break }
            task.onFailure = other.identifier
            others.append(other)
        }
        switch reader {
        case nil: break
        case .task(let name): task.onOutput = name
        case .command(let command):
            guard let other = follower("onOutput", command, fields, &document) else { break }
            task.onOutput = other.identifier
            others.append(other)
        }
        return [task] + others
    }

    /// The keys whose command is a task of its own, named like the task with the key behind it.
    static let keysOfFollowers = ["onFailure", "onOutput"]

    /// What a command of that key is: a task that waits for no idle machine.
    private func follower(
        _ key: String, _ command: ProgramCommand, _ fields: DocumentFields, _ document: inout DocumentReader
    ) -> TaskDefinition? {
        guard let node = fields[key] else { return nil }
        let kind = TaskKind.processing
        let name = "\(identifier).\(key)"
        guard !identifier.hasSuffix(".*"), name.utf8.count <= IdentifierSyntax.maximumLength else {
            return document.refused(
                node, expected: "no \"command\" for many identifiers, or for a very long one",
                hint: "write a task with the command, and its identifier here")
        }
        lintMode(kind, node, &document)
        guard let budget = document.budget(nil, of: kind, in: profile, isProgram: true) else { return nil }
        var requires = Requirements(of: kind)
        requires.idle = false
        return TaskDefinition(
            identifier: name, kind: kind, handler: .command(command), budget: budget, requires: requires)
    }

    /// A task may only wait for files that it may read.
    private func patterns(_ node: DocumentNode?, _ document: inout DocumentReader) -> [ConditionName: [String]] {
        document.patterns(node).mapValues { patterns in
            for (text, node) in patterns where !granted.contains(where: { PatternSyntax.covers($0, text) }) {
                document.refuse(
                    node, expected: "a path that the permissions let the application read",
                    hint: "add its folder to \"permissions\".\"read\"")
            }
            return patterns.map(\.text)
        }
    }

    private func handler(_ fields: DocumentFields, _ document: inout DocumentReader) -> Handler? {
        let hint = "add \"library\" to the manifest"
        guard let node = fields["handler"] else {
            if !hasLibrary {
                document.note(
                    .error, fields.node.value.position, fields.node.path.member("handler"), found: "nothing",
                    expected: "a library that registers the handler, or a foreign function with a \"library\"",
                    hint: hint)
            }
            return .registered
        }
        switch node.value.content {
        case .string:
            let symbol = document.symbol(node)
            if !hasLibrary, symbol != nil {
                document.refuse(node, expected: "a library that exports the symbol", hint: hint)
            }
            return symbol.map(Handler.symbol)
        case .object(let members) where members.contains(where: { $0.isNamed("command") }):
            if hasLibrary {
                document.refuse(
                    node, expected: "no \"command\" beside a \"library\"",
                    hint: "give the programs a manifest of their own: what they may execute, a library may not")
            }
            return document.command(node).map(Handler.command)
        case .object(let members):
            if !hasLibrary, !members.contains(where: { $0.isNamed("library") }) {
                document.refuse(
                    node, expected: "a \"library\" here or in the manifest", found: "a foreign function without library"
                )
            }
            return document.foreignFunction(node, givesCredential: isRenewal).map(Handler.foreign)
        case .null, .bool, .integer, .unsigned, .double, .array:
            return document.refused(node, expected: "a symbol's name, or an object for a program or a foreign function")
        }
    }

    /// Only requests for continued processing have new identifiers, and the handler must be able to learn which one it
    /// is.
    private func checkWildcard(
        _ kind: TaskKind?, _ handler: Handler?, _ fields: DocumentFields, _ document: inout DocumentReader
    ) {
        if let kind, kind != .continuedProcessing {
            document.refuse(
                key, expected: "an identifier without \"*\"",
                hint: "only tasks of the kind continuedProcessing may have many identifiers")
        }
        if case .foreign = handler, let node = fields["handler"] {
            document.refuse(
                node, expected: "a symbol, or a handler that the application registers",
                found: "a foreign function for many identifiers")
        }
        if let node = fields["schedule"] {
            document.refuse(
                node, expected: "no schedule for many identifiers",
                hint: "schedule a task with an identifier of its own")
        }
    }

    /// Continued processing belongs to one action of a user, and two renewals would take each other's credential away.
    private func checkOverlap(_ kind: TaskKind?, _ fields: DocumentFields, _ document: inout DocumentReader) {
        guard kind == .continuedProcessing || isRenewal, let schedule = fields["schedule"],
            let value = schedule.value.object?.last(where: { $0.key == "overlap" })?.value
        else { return }
        let what = isRenewal ? "the task that renews credentials" : "continuedProcessing"
        document.refuse(
            DocumentNode(value, at: schedule.path.member("overlap")),
            expected: "\"queue\", \"skip\" or \"replace\" for \(what)", hint: "of its runs one is in progress at a time"
        )
    }

    /// A fleet's request is for whichever host takes it.
    private func checkFleet(_ kind: TaskKind?, _ fields: DocumentFields, _ document: inout DocumentReader) {
        guard kind == .continuedProcessing || isRenewal, let schedule = fields["schedule"],
            let value = schedule.value.object?.last(where: { $0.key == "scope" })?.value
        else { return }
        document.refuse(
            DocumentNode(value, at: schedule.path.member("scope")),
            expected: "\"host\" for \(isRenewal ? "the task that renews credentials" : "continuedProcessing")",
            hint: "it belongs to what this host's user does")
    }

    // MARK: Valid but probably not intended

    private func lintMode(_ kind: TaskKind, _ node: DocumentNode, _ document: inout DocumentReader) {
        guard let modes, let needed = kind.backgroundMode, !modes.contains(needed) else { return }
        document.warn(
            node, expected: "\"\(needed)\" among the manifest's backgroundModes",
            hint: "without it every request for the task is refused", severity: .futile)
    }

    private func lint(
        _ fields: DocumentFields, _ budget: Budget, _ schedule: Schedule?, _ document: inout DocumentReader
    ) {
        if let every = schedule?.every, schedule?.overlap != .allow, budget.wallClock != .unlimited,
            every < budget.wallClock, let node = fields["schedule"]
        {
            document.warn(
                node, expected: "at least the wall-clock budget of \"\(budget.wallClock.manifestText)\"",
                found: "a run every \"\(every.manifestText)\"",
                hint: "runs of one task do not overlap unless \"overlap\" is \"allow\"")
        }
        let (sensible, isHuge) = budget.wallClock.nanoseconds.multipliedReportingOverflow(
            by: ManifestLimits.sensibleCores)
        if let cpuTime = budget.cpuTime, !isHuge, cpuTime.nanoseconds > sensible, let node = fields["budget"] {
            document.warn(
                node, expected: "at most \(ManifestLimits.sensibleCores) times the wall-clock budget",
                found: "a cpuTime of \"\(cpuTime.manifestText)\"", hint: "the wall clock would always end the run first"
            )
        }
    }
}
