import JSON
import Linux
import Setting
import TaskModel

/// What a task is, in the control API: the members that `TaskDocument` lacks.
enum TaskDescription {
    static func members(
        _ task: TaskDefinition, of application: InstalledApplication, profile: String
    ) -> [JSONOutput.Member] {
        let definition = application.definition
        return [
            .init("version", JSONOutput(definition.version)), .init("handler", handler(task.handler)),
            .init("library", library(application)),
            .init("schedule", task.schedule.map(schedule) ?? .null),
            .init("after", JSONOutput(task.after)), .init("onFailure", JSONOutput(task.onFailure)),
            .init("answeredEnds", .array(task.answeredEnds.map { .string($0.name) })),
            .init("onOutput", JSONOutput(task.onOutput)),
            .init("webhook", JSONOutput(task.webhook.map { WebURL($0)?.origin ?? ShownURL.none })),
            .init("requires", requires(task)),
            .init(
                "retry",
                task.retry.map {
                    [
                        "attempts": .integer(Int64($0.attempts)), "backoff": .double($0.backoff.seconds),
                        "jitter": .double($0.jitter.seconds),
                    ]
                } ?? .null),
            .init("stall", JSONOutput(task.budget.stall?.seconds)),
            .init("declared", .array(declared(task.budget).map(JSONOutput.string))),
            .init("secrets", .array(task.secrets.map { .string($0.name) })),
            .init("profile", .string(profile)), .init("settings", .string(task.settings)),
            .init("permissions", permissions(definition.permissions)),
            .init("learned", task.learned.map(learned) ?? .null),
            .init("group", JSONOutput(definition.group)), .init("isolation", .string(definition.isolation.rawValue)),
            .init("enforcement", .string(definition.enforcement.rawValue)),
            .init("misuse", .string(definition.misuse.rawValue)),
            .init("manifest", .string(FileSystem.realPath(definition.manifestPath) ?? definition.manifestPath)),
        ]
    }

    private static func learned(_ mark: LearnedMark) -> JSONOutput {
        .object([
            "at": .string(mark.at.iso8601), "landlock": .integer(Int64(mark.landlock)),
            "programs": .array(
                mark.programs.map { program in
                    .object(["path": .string(program.path), "sha256": .string(FileDigest.text(program.digest))])
                }),
        ])
    }

    private static func declared(_ budget: Budget) -> [String] {
        let keys: [(Budget.Keys, String)] = [
            (.wallClock, "wallClock"), (.cpuTime, "cpuTime"), (.memory, "memory"), (.disk, "disk"), (.grace, "grace"),
            (.stall, "stall"),
        ]
        return keys.compactMap { budget.declared.contains($0.0) ? $0.1 : nil }
    }

    private static func texts(_ list: [String]?) -> JSONOutput {
        list.map { .array($0.map(JSONOutput.string)) } ?? .null
    }

    private static func handler(_ handler: Handler) -> JSONOutput {
        let form: String
        var symbol: String?
        var signature: String?
        var library: String?
        var command: ProgramCommand?
        switch handler {
        case .symbol(let name): (form, symbol) = ("symbol", name)
        case .foreign(let function):
            let parameters = function.signature.parameters.map(\.name).joined(separator: ", ")
            (form, symbol, library) = ("function", function.symbol, function.library)
            signature = "\(function.signature.result.name)(\(parameters))"
        case .command(let own): (form, command) = ("command", own)
        case .registered: form = "registered"
        case .event: form = "event"
        }
        return .object([
            "form": .string(form), "symbol": JSONOutput(symbol), "signature": JSONOutput(signature),
            "library": JSONOutput(library), "command": texts(command?.words),
            "environment": texts(command?.environment), "environmentFiles": texts(command?.environmentFiles),
            "workingDirectory": JSONOutput(command?.workingDirectory),
            "umask": JSONOutput(command?.fileModeMask.map(ProgramCommand.text(ofMask:))),
        ])
    }

    private static func library(_ application: InstalledApplication) -> JSONOutput {
        guard let library = application.library else { return .null }
        return .object([
            "path": .string(FileSystem.realPath(library.path) ?? library.path),
            "sha256": JSONOutput(application.definition.librarySHA256.map(FileDigest.text)),
            "isApplication": .bool(library.isApplication),
        ])
    }

    private static func schedule(_ schedule: Schedule) -> JSONOutput {
        .object([
            "text": .string(ScheduleWords.text(schedule)), "every": JSONOutput(schedule.every?.seconds),
            "calendar": JSONOutput(schedule.calendar?.text), "boot": .bool(schedule.isAtBoot),
            "timeZone": JSONOutput(schedule.timeZone),
            "jitter": .double(schedule.jitter.seconds), "catchUp": .string(schedule.catchUp.rawValue),
            "overlap": .string(schedule.overlap.rawValue), "payload": .string(schedule.payload),
            "scope": .string(schedule.scope.rawValue),
        ])
    }

    private static func requires(_ task: TaskDefinition) -> JSONOutput {
        var members: [JSONOutput.Member] = []
        for condition in Condition.all {
            guard let form = condition.requirement else { continue }
            let level = task.requires[condition.name]
            let value: JSONOutput =
                switch form.values {
                case .flag: .bool(level > 0)
                case .words(let words): JSONOutput(words.last { $0.level <= level && level > 0 }?.word)
                case .size: level > 0 ? JSONOutput(level as UInt64?) : .null
                case .patterns: .array((task.patterns[condition.name] ?? []).map(JSONOutput.string))
                }
            members.append(.init(form.key, value))
        }
        return .object(members)
    }

    private static func permissions(_ permissions: Permissions) -> JSONOutput {
        func texts(_ list: [String]) -> JSONOutput { .array(list.map(JSONOutput.string)) }
        return .object([
            "read": texts(permissions.read), "write": texts(permissions.write),
            "network": texts(permissions.network.map(\.text)), "execute": texts(permissions.execute),
            "sockets": texts(permissions.sockets),
            "capabilities": texts(permissions.capabilities.map(\.rawValue)),
            "ping": .bool(permissions.ping), "attributes": .bool(permissions.attributes),
        ])
    }
}

extension NetworkGrant {
    /// As a manifest spells it.
    fileprivate var text: String {
        let place: String
        switch host {
        case .any: place = "*"
        case .loopback: place = "loopback"
        case .name(let name): place = name
        case .network(let network):
            let address = network.address
            let bits = address.isV4 ? Int(network.length) - 96 : Int(network.length)
            let written = bits == (address.isV4 ? 32 : 128) ? "\(address)" : "\(address)/\(bits)"
            place = address.isV4 ? written : "[\(written)]"
        }
        return "\(place):\(port.map(String.init) ?? "*")"
    }
}
