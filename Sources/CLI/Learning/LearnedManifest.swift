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
        permissions.sockets = places(.sockets)
        permissions.ping = !places(.ping).isEmpty
        return permissions
    }

    /// The task's program with what it had without confinement: folder, umask and the variables of a login.
    static func command(_ subject: LearningSubject) -> ProgramCommand {
        var command = subject.command
        if subject.application.definition.confinement == .unconfined {
            if command.workingDirectory == nil { command.workingDirectory = subject.folder }
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
        let bytes = subject.text
        guard ManifestTask.text(of: file) == bytes,
            let document = try? JSONParser.parse(bytes, maximumBytes: bytes.count)
        else {
            throw .cannotCreate("the manifest has changed meanwhile; \(file); learn the task again")
        }
        let identifier = subject.task.identifier
        guard let tasks = document["tasks"], let task = tasks[identifier] else {
            throw .badManifest("the manifest has no such task; \(file): \(identifier); see taskhost validate \(file)")
        }
        let siblings = subject.siblings
        var entry = JSONOutput(task, asIn: bytes).setting("handler", ImportedApplication.handler(Self.command(subject)))
            .setting("learned", Self.mark(proposal, subject))
        if siblings.isEmpty {
            path = file
            text = Self.confined(
                JSONOutput(document, asIn: bytes).setting("tasks", .object([.init(identifier, entry)])), proposal)
            return
        }
        // The permissions of a manifest are those of all its tasks: this one gets a manifest of its own.
        if let other = siblings.first(where: { [$0.after, $0.onFailure, $0.onOutput].contains(identifier) }) {
            throw .cannotCreate(
                "the task belongs to another of its manifest; \(file): \(other.identifier) names it; confine them together "
                    + "by hand with what --json prints")
        }
        if let after = task["after"]?.string {
            throw .cannotCreate(
                "the task runs after another of its manifest; \(file): \(after); confine them together by hand with what "
                    + "--json prints")
        }
        for key in ["onFailure", "onOutput"] {
            guard let name = task[key]?.string ?? task[key]?["do"]?.string else { continue }
            entry = entry.removing(key)
            losses.append("\(key) named \(name), a task of \(file), which the new manifest cannot name: it is left out")
        }
        path = Self.ownPath(subject)
        try Self.requireFree(path)
        var own = JSONOutput.object([.init("identifier", .string(identifier))])
        for key in ["user", "group", "enforcement"] {
            if let value = document[key] { own = own.setting(key, JSONOutput(value, asIn: bytes)) }
        }
        text = Self.confined(own.setting("tasks", .object([.init(identifier, entry)])), proposal)
        rest = (
            file,
            JSONOutput(document, asIn: bytes).setting("tasks", JSONOutput(tasks, asIn: bytes).removing(identifier))
                .text(.pretty)
        )
    }

    private static func confined(_ manifest: JSONOutput, _ proposal: Proposal) -> String {
        manifest.setting("permissions", json(proposal)).setting("confinement", .string("full")).text(.pretty)
    }

    /// Bytes of a program whose digest is kept.
    private static let longestProgram: UInt64 = 512 << 20

    /// `learned`: the programs that the permissions hold for, as they are now.
    private static func mark(_ proposal: Proposal, _ subject: LearningSubject) -> JSONOutput {
        let program = GrantVariables.expand(
            subject.command.words[0], [("$MANIFEST", subject.application.definition.manifestFolder)])
        // Without the loader, which changes with every update of the C library.
        let chain = ((try? ProgramFile.chain(of: program)) ?? []).filter { !$0.contains("/ld-") }
        let paths = (chain + proposal.programs).map { FileSystem.realPath($0) ?? $0 }
        var digests: [JSONOutput.Member] = []
        for path in paths where !digests.contains(where: { $0.key == path }) {
            guard let facts = try? FileSystem.followedFacts(of: path), facts.isFile, facts.size <= longestProgram,
                let digest = FileDigest.sha256(ofPath: path)
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
                    permission.isFlag ? .bool(true) : .array(places.map(JSONOutput.string))))
        }
        return .object(members)
    }

    /// Writes the new file before the old one loses the task: a host that reads between them reports both, and runs nothing twice.
    func write() throws(Failure) {
        try ManifestFile.write(text, to: path)
        if let rest { try ManifestFile.write(rest.text, to: rest.path) }
    }

    /// Of the manifest of a task that leaves the one that it shares.
    private static func ownPath(_ subject: LearningSubject) -> String {
        "\(FilePlace(subject.manifest).folder)/\(subject.task.identifier).json"
    }

    private static func requireFree(_ path: String) throws(Failure) {
        guard (try? FileSystem.facts(ofPath: path)) == nil else {
            throw .cannotCreate(
                "another manifest has the name that the task's own would get; \(path); rename it, then learn again")
        }
    }

    /// Before anything is run.
    static func check(_ subject: LearningSubject) throws(Failure) {
        if !subject.siblings.isEmpty { try requireFree(ownPath(subject)) }
        try ManifestFile.check(subject.manifest)
    }
}
