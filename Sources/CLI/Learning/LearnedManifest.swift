import JSON
import Learning
import Linux
import Manifests
import Setting
import TaskModel

/// The manifest of a task that is confined by what was learned of it.
struct LearnedManifest {
    /// Where it goes.
    let path: String
    let text: String
    /// The manifest that had the task, without it; nil: the file is the same.
    private(set) var rest: (path: String, text: String)?
    /// What the task loses, as sentences.
    private(set) var losses: [String] = []

    static func permissions(_ proposal: Proposal) -> Permissions {
        func places(_ permission: Permission) -> [String] {
            proposal.lines.filter { $0.permission == permission }.map(\.place)
        }
        let network = places(.network).compactMap { try? NetworkGrantSyntax.parse($0) }
        var permissions = Permissions(
            read: places(.read), write: places(.write), network: network, execute: places(.execute))
        permissions.attributes = !places(.attributes).isEmpty
        return permissions
    }

    /// The task's program with what it had without confinement: folder, umask and the variables of a login.
    static func command(_ subject: LearningSubject) -> ProgramCommand {
        var command = subject.command
        if subject.application.definition.confinement == .unconfined {
            if command.workingDirectory == nil { command.workingDirectory = subject.home }
            if command.fileModeMask == nil { command.fileModeMask = 0o022 }
            let name = subject.application.account?.name ?? ThisProcess.variable("LOGNAME") ?? "root"
            let login = [("HOME", subject.home), ("SHELL", "/bin/sh"), ("USER", name), ("LOGNAME", name)]
            let missing = login.filter { variable in
                !command.environment.contains { $0.hasPrefix(variable.0 + "=") }
            }
            command.environment = missing.map { "\($0.0)=\($0.1)" } + command.environment
        }
        return command
    }

    /// Reads the task's manifest as it is now.
    init(_ proposal: Proposal, _ subject: LearningSubject) throws(Failure) {
        let file = subject.manifest
        let document: JSONValue
        do throws(SystemError) {
            let bytes = try FileSystem.read(
                try Descriptor.open(file, .O_RDONLY), limit: ManifestLimits.fileBytes, naming: file)
            guard let value = try? JSONParser.parse(bytes, maximumBytes: bytes.count) else {
                throw SystemError("read", code: .EINVAL, object: file)
            }
            document = value
        } catch {
            throw .badManifest("the manifest cannot be read; \(error); correct it, see taskhost validate \(file)")
        }
        let identifier = subject.task.identifier
        guard let tasks = document["tasks"], let task = tasks[identifier] else {
            throw .badManifest("the manifest has changed meanwhile; \(file); learn the task again")
        }
        let siblings = subject.siblings
        var entry = JSONOutput(task).setting("handler", ImportedApplication.handler(Self.command(subject)))
            .setting("learned", Self.mark(proposal, subject))
        if siblings.isEmpty {
            path = file
            text = Self.confined(JSONOutput(document).setting("tasks", .object([.init(identifier, entry)])), proposal)
            return
        }
        // The permissions of a manifest are those of all its tasks: this one gets a manifest of its own.
        if let other = siblings.first(where: { [$0.after, $0.onFailure, $0.onOutput].contains(identifier) }) {
            throw .badManifest(
                "the task belongs to another of its manifest; \(file): \(other.identifier) names it; confine them together "
                    + "by hand with what --json prints")
        }
        if let after = task["after"]?.string {
            throw .badManifest(
                "the task runs after another of its manifest; \(file): \(after); confine them together by hand with what "
                    + "--json prints")
        }
        for key in ["onFailure", "onOutput"] {
            guard let name = task[key]?.string else { continue }
            entry = entry.removing(key)
            losses.append("\(key) named \(name), a task of \(file), which the new manifest cannot name: it is left out")
        }
        let folder = FilePlace(file).folder
        path = "\(folder)/\(identifier).json"
        var own = JSONOutput.object([.init("identifier", .string(identifier))])
        for key in ["user", "group", "enforcement"] {
            if let value = document[key] { own = own.setting(key, JSONOutput(value)) }
        }
        text = Self.confined(own.setting("tasks", .object([.init(identifier, entry)])), proposal)
        rest = (
            file,
            JSONOutput(document).setting("tasks", JSONOutput(tasks).removing(identifier)).text(.pretty)
        )
    }

    private static func confined(_ manifest: JSONOutput, _ proposal: Proposal) -> String {
        manifest.setting("permissions", json(proposal)).setting("confinement", .string("full")).text(.pretty)
    }

    /// `learned`: the programs that the permissions hold for, as they are now.
    private static func mark(_ proposal: Proposal, _ subject: LearningSubject) -> JSONOutput {
        let program = GrantVariables.expand(
            subject.command.words[0], [("$MANIFEST", subject.application.definition.manifestFolder)])
        let paths =
            ((try? ProgramFile.chain(of: program)) ?? [])
            + proposal.lines.filter { $0.permission == .execute }.map(\.place)
        var digests: [JSONOutput.Member] = []
        for path in paths where !digests.contains(where: { $0.key == path }) {
            guard let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]),
                let digest = try? FileDigest.sha256(of: file.number)
            else { continue }
            digests.append(.init(path, .string(FileDigest.text(digest))))
        }
        return .object([
            .init("at", .string(Clock.moment().time.iso8601)), .init("landlock", .integer(Int64(Landlock.version))),
            .init("programs", .object(digests)),
        ])
    }

    /// `permissions`
    static func json(_ proposal: Proposal) -> JSONOutput {
        var members: [JSONOutput.Member] = []
        for permission in Permission.allCases {
            let places = proposal.lines.filter { $0.permission == permission }.map(\.place)
            guard !places.isEmpty else { continue }
            members.append(
                .init(
                    permission.rawValue,
                    permission == .attributes ? .bool(true) : .array(places.map(JSONOutput.string))))
        }
        return .object(members)
    }

    /// Writes the new file before the old one loses the task: a host that reads between them reports both, and runs nothing twice.
    func write() throws(Failure) {
        try Self.write(text, to: path)
        if let rest { try Self.write(rest.text, to: rest.path) }
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        let part = path + ".part"
        do throws(SystemError) {
            let facts = try? FileSystem.facts(ofPath: path)
            try? FileSystem.remove(part)
            let file = try Descriptor.open(part, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: (facts?.mode ?? 0o644) & 0o777)
            try FileSystem.write(Array((text + "\n").utf8), to: file, naming: part)
            if let facts, facts.user != ThisProcess.user {
                try FileSystem.changeOwner(part, user: facts.user, group: facts.group)
            }
            try FileSystem.rename(part, to: path)
        } catch {
            throw .cannotCreate("the manifest cannot be written; \(error); write it as a user who may, or by hand")
        }
    }
}
