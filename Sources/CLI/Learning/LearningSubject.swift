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

    init(_ arguments: Arguments, _ configuration: HostConfiguration, _ terminal: Terminal) throws(Failure) {
        let word = try arguments.onlyWord(of: LearnVerb.name, "task", "name a task; see taskhost list")
        let found = try ManifestTask(word, arguments, configuration, terminal)
        guard case .command(let command) = found.task.handler else {
            throw .usage(
                "the task's handler is no program; \(found.task.identifier); libraries are always confined: run it "
                    + "again when it fails, and taskhost show names what that run was refused")
        }
        var task = found.task
        (task.schedule, task.after, task.onFailure, task.onOutput, task.webhook) = (nil, nil, nil, nil, nil)
        task.retry = nil
        self.task = task
        self.command = command
        application = found.application
        home = found.application.account?.home ?? ThisProcess.variable("HOME") ?? "/"
        folder = Self.canEnter(home, found.application.account) ? home : "/"
        manifest = found.path
        text = found.text
    }

    private static func canEnter(_ folder: String, _ account: Account?) -> Bool {
        guard let facts = try? FileSystem.followedFacts(of: folder), facts.isFolder else { return false }
        guard let account, account.user != 0, ThisProcess.isRoot else { return FileSystem.allows(.execute, to: folder) }
        let shift: UInt32 =
            facts.user == account.user
            ? 6 : facts.group == account.group || account.groups.contains(facts.group) ? 3 : 0
        return facts.mode >> shift & 1 != 0
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
