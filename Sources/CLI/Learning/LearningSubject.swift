import Control
import JSON
import Linux
import Manifests
import Setting
import TaskModel

/// The task whose permissions are learned, with its application.
struct LearningSubject {
    /// Without a schedule, and without tasks that follow it.
    let task: TaskDefinition
    let command: ProgramCommand
    let application: InstalledApplication
    /// The home of its user.
    let home: String
    /// Where it begins without a folder of its own: the home, or / as under cron where that cannot be entered.
    let folder: String
    /// Where the manifest is, without links.
    let manifest: String
    /// Its text when the task was found.
    let text: [UInt8]

    /// Of the folders that a host serves, or else of those where `run` looks.
    init(_ arguments: Arguments, _ configuration: HostConfiguration, _ terminal: Terminal) throws(Failure) {
        let word = try arguments.onlyWord(of: LearnVerb.name, "task", "name a task; see taskhost list")
        let folders = try Self.folders(arguments)
        let catalogue = Catalogue(folders, profile: configuration.profile, accounts: AccountRules(configuration))
        let all = catalogue.applications.flatMap { application in
            application.definition.tasks.map { (task: $0, application: application) }
        }
        var matches = all.filter { $0.task.identifier == word }
        if matches.isEmpty {
            let short = ShortName.matches(word, among: all.map(\.task.identifier))
            guard short.count < 2 else { throw ShortName.ambiguous(word, short) }
            matches = all.filter { short.contains($0.task.identifier) }
        }
        guard let found = matches.first else {
            if catalogue.hasErrors { throw BadManifests.failure(catalogue, terminal) }
            let near = Nearest.match(for: word, among: catalogue.identifiers)
            throw .usage(
                "no manifest has this task; \(word); "
                    + (near.map { "did you mean \($0)?" } ?? "see taskhost list for those there are"))
        }
        guard found.application.tasks.contains(where: { $0.identifier == found.task.identifier }) else {
            let faults = catalogue.diagnostics.filter { $0.path.contains("\"\(found.task.identifier)\"") }
            throw .badManifest(
                "the task cannot run; \(found.task.identifier): \(faults.first.map { "\($0)" } ?? "its program is missing"); "
                    + "correct that first", faults)
        }
        guard case .command(let command) = found.task.handler else {
            throw .usage(
                "the task's handler is no program; \(found.task.identifier); libraries are always confined: what they need "
                    + "stands in their documents, and taskhost check runs them")
        }
        var task = found.task
        (task.schedule, task.after, task.onFailure, task.onOutput, task.webhook) = (nil, nil, nil, nil, nil)
        task.retry = nil
        self.task = task
        self.command = command
        application = found.application
        home = found.application.account?.home ?? ThisProcess.variable("HOME") ?? "/"
        folder = Self.canEnter(home, found.application.account) ? home : "/"
        let path = found.application.definition.manifestPath
        manifest = FileSystem.realPath(path) ?? path
        text = Self.text(of: manifest) ?? []
    }

    /// nil: it cannot be read.
    static func text(of manifest: String) -> [UInt8]? {
        guard let file = try? Descriptor.open(manifest, [.O_RDONLY, .O_NONBLOCK]) else { return nil }
        return try? FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: manifest)
    }

    private static func canEnter(_ folder: String, _ account: Account?) -> Bool {
        guard let facts = try? FileSystem.followedFacts(of: folder), facts.isFolder else { return false }
        guard let account, account.user != 0, ThisProcess.isRoot else { return FileSystem.allows(.execute, to: folder) }
        let shift: UInt32 =
            facts.user == account.user
            ? 6 : facts.group == account.group || account.groups.contains(facts.group) ? 3 : 0
        return facts.mode >> shift & 1 != 0
    }

    private static func folders(_ arguments: Arguments) throws(Failure) -> [String] {
        if arguments.all("--manifests").isEmpty, let client = try HostAccess.openIfServed(arguments) {
            return try client.document(.host)["manifests"]?.array?.compactMap(\.string) ?? []
        }
        return try Places.manifests(arguments)
    }

    /// The tasks of the same manifest.
    var siblings: [TaskDefinition] {
        application.definition.tasks.filter { $0.identifier != task.identifier && !isFollower($0) }
    }

    /// Of the manifest that has the task in the end: one that it shares with others stays theirs.
    var applicationIdentifier: String { siblings.isEmpty ? application.definition.identifier : task.identifier }

    /// A task that a command of its own `onFailure` or `onOutput` is.
    private func isFollower(_ other: TaskDefinition) -> Bool {
        ["onFailure", "onOutput"].contains { other.identifier == "\(task.identifier).\($0)" }
    }

    /// An application with this task alone, which does that.
    ///
    /// - Throws: where its user may not have it so.
    func application(
        running command: ProgramCommand, _ confinement: ConfinementLevel, _ permissions: Permissions,
        budget: Budget, _ configuration: HostConfiguration
    ) throws(Failure) -> InstalledApplication {
        var task = task
        task.handler = .command(command)
        task.budget = budget
        var definition = application.definition
        definition.identifier = applicationIdentifier
        definition.tasks = [task]
        definition.confinement = confinement
        definition.permissions = permissions
        definition.enforcement = .bestEffort
        // A confined task of root's needs the configuration's leave; one that is unconfined says whose it is.
        if confinement == .unconfined, definition.user == nil, ThisProcess.isRoot { definition.user = "root" }
        return try OwnApplication.make(
            definition, configuration, refusal: "the task cannot run so; \(task.identifier): found ")
    }
}
