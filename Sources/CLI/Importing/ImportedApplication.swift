import JSON
import TaskModel

/// The manifest of one user's imported commands.
struct ImportedApplication {
    var identifier: String
    /// The user that the manifest names; nil: the host's own, or its choice where that is root.
    var user: String?
    var home: String?
    /// A service's `DynamicUser` stays one that owns nothing else.
    var confinement = ConfinementLevel.unconfined
    /// From 0: where one manifest cannot have all tasks, they have several.
    var part = 0

    /// As `taskhost run` and `serve` read it.
    func manifest(named name: String, tasks: [JSONOutput.Member]) -> JSONOutput {
        let user = user.map { [JSONOutput.Member("user", .string($0))] } ?? []
        let rights: [JSONOutput.Member] =
            confinement == .unconfined
            ? [.init("confinement", .string(confinement.rawValue))] : [.init("permissions", Self.widePermissions)]
        return .object(
            [JSONOutput.Member("identifier", .string(identifier)), JSONOutput.Member("name", .string(name))] + user
                + [JSONOutput.Member("tasks", .object(tasks))] + rights
                + [JSONOutput.Member("enforcement", .string("bestEffort"))])
    }

    private static let widePermissions: JSONOutput = [
        "read": .array([.string("/")]), "write": .array([.string("/tmp"), .string("/var/tmp")]),
        "execute": .array([.string("/")]), "attributes": .bool(true),
        "network": .array([.string("*:*"), .string("loopback:*")]),
    ]

    /// The handler of a command.
    static func handler(_ command: ProgramCommand) -> JSONOutput {
        let list = { (texts: [String]) in JSONOutput.array(texts.map(JSONOutput.string)) }
        var members = [JSONOutput.Member("command", list(command.words))]
        if !command.environment.isEmpty {
            members.append(
                .init(
                    "environment",
                    .object(
                        command.environment.map { variable in
                            let name = variable.prefix { $0 != "=" }
                            return .init(String(name), .string(String(variable.dropFirst(name.count + 1))))
                        })))
        }
        if !command.environmentFiles.isEmpty {
            members.append(.init("environmentFiles", list(command.environmentFiles)))
        }
        if let mask = command.fileModeMask {
            members.append(.init("umask", .string(ProgramCommand.text(ofMask: mask))))
        }
        if let folder = command.workingDirectory { members.append(.init("workingDirectory", .string(folder))) }
        return .object(members)
    }

    /// As under cron.
    static let noLimits: JSONOutput = .object(
        ["wallClock", "cpuTime", "memory", "disk"].map { JSONOutput.Member($0, .string("none")) })

    /// A name of the machine, such as a user's or a unit's, as a label of an identifier; nil: it is empty.
    static func label(of name: String) -> String? {
        let label = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        return label.isEmpty ? nil : label
    }
}

extension [ImportedApplication] {
    /// Adds an application, unless it is there. Names that differ may have one label, so that one of another user gets an
    /// identifier of its own: no user's work becomes another's.
    ///
    /// - Returns: the application as it is in the list.
    mutating func take(_ found: ImportedApplication, part: Int = 0) -> ImportedApplication {
        var found = found
        found.part = part
        let identifier = found.identifier
        var number = 1
        while let known = first(where: { $0.identifier == found.identifier }) {
            if known.user == found.user, known.part == part { return known }
            number += 1
            found.identifier = "\(identifier)-\(number)"
        }
        append(found)
        return found
    }
}

/// Whose work can be imported.
enum ImportOwner {
    /// Everybody's: the host is root, and finds their homes here.
    case everybody(home: (String) -> String?)
    /// One user's; nil: unknown.
    case one(String?, home: String?)

    /// Why a user's work cannot be carried over.
    struct Fault: Error {
        var reason: String
    }

    /// The user whose work has none named; nil: unknown, or everybody's has.
    var name: String? { if case .one(let name, _) = self { name } else { nil } }

    /// The application of a user's work.
    ///
    /// - Parameters:
    ///   - user: nil: it names none.
    ///   - base: its identifier, to which `.USER` is added for everybody's.
    ///   - subject: what runs, for the reason.
    func application(
        of user: String?, named base: String, subject: String = "it"
    ) throws(Fault) -> ImportedApplication {
        switch (self, user) {
        case (.one(let own, let home), _):
            guard user == nil || user == own else {
                throw Fault(
                    reason: "\(subject) runs as \(user ?? ""); import it as root, or into that user's own host")
            }
            // A host that is root has to be told that root's own work is root's.
            return ImportedApplication(identifier: base, user: own == "root" ? own : nil, home: home)
        case (.everybody, nil): return ImportedApplication(identifier: base, user: nil, home: nil)
        case (.everybody(let homes), let user?):
            guard let home = homes(user), let label = ImportedApplication.label(of: user) else {
                throw Fault(reason: "\(subject) runs as \(user), whom this machine does not have")
            }
            return ImportedApplication(identifier: "\(base).\(label)", user: user, home: home)
        }
    }
}
