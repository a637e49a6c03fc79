import Control
import Glibc
import Host
import JSON
import Manifests
import Record
import TaskModel

/// `taskhost list`
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "applications and tasks, and what became of them last"
    static let help = """
        usage: taskhost list

        Lists the tasks of all good manifests with their kind, budget and last outcome. Where a host serves the state
        folder: its tasks, unless --manifests names others, with the application's state and what a request waits for.
        WHEN is the last run's end; while it is running, its beginning.
        """
    static let options: [Option] = [.manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.isEmpty else {
            throw .usage("list takes no words; \(arguments.words[0]); name manifests with --manifests")
        }
        if arguments.all("--manifests").isEmpty, let client = try HostAccess.openIfServed(arguments) {
            return try list(client, arguments, terminal)
        }
        let configuration = try Configuration.read(arguments, terminal)
        let catalogue = Catalogue(try Places.manifests(arguments), profile: configuration.profile)
        for sentence in catalogue.unreadable { terminal.note("taskhost: \(sentence)") }
        if catalogue.diagnostics.contains(where: { $0.severity == .error }) {
            terminal.note("taskhost: \(BadManifests.summary(catalogue)); see taskhost validate")
        }
        let record = try RecordAccess.openIfAny(arguments)
        let present = try Present(HostAccess.openIfServed(arguments))
        var documents: [JSONOutput] = []
        var shown: [RunRecord] = []
        var table = Table(columns(isServed: present != nil))
        for application in catalogue.applications {
            for task in application.tasks {
                let wallClock = task.budget.wallClock == .unlimited ? nil : task.budget.wallClock
                let now = present?.tasks[task.identifier]
                let last =
                    if let now { now["lastRun"].flatMap(RunDocument.read) } else { try record?.last(task.identifier) }
                if let last { shown.append(last) }
                documents.append(
                    TaskDocument.json(
                        task, of: application.definition, standing: now.map(TaskDocument.Standing.init), last: last))
                table.add(
                    [task.identifier, task.kind.name, wallClock?.description ?? "none"]
                        + (present == nil ? [] : ["state", "waiting", "next"].map { ListCell.text(now?[$0]) })
                        + cells(last))
            }
        }
        if arguments.isJSON {
            terminal.print(.object(["tasks": .array(documents)]))
        } else if table.isEmpty {
            terminal.note("no tasks")
        } else {
            terminal.print(table.text())
        }
        if !arguments.isJSON { tellDegraded(shown, terminal) }
        return catalogue.hasErrors ? ExitStatus.badManifest : ExitStatus.success
    }

    /// The tasks of the host that serves the state folder, whose manifests lie where it was told.
    private static func list(
        _ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let tasks = try client.tasks()
        if arguments.isJSON {
            terminal.print(.object(["tasks": .array(tasks.map { JSONOutput($0) })]))
            return ExitStatus.success
        }
        var table = Table(columns(isServed: true))
        var lastRuns: [RunRecord] = []
        for task in tasks {
            let last = task["lastRun"].flatMap(RunDocument.read)
            if let last { lastRuns.append(last) }
            let wallClock = task["budget"]?["wallClock"]?.double.map {
                TimeSpan(nanoseconds: Int64((min(max($0, 0), 3e9) * 1e9).rounded())).description
            }
            table.add(
                [ListCell.text(task["identifier"]), ListCell.text(task["kind"]), wallClock ?? "none"]
                    + ["state", "waiting", "next"].map { ListCell.text(task[$0]) }
                    + cells(last))
        }
        if table.isEmpty { terminal.note("no tasks") } else { terminal.print(table.text()) }
        tellDegraded(lastRuns, terminal)
        return ExitStatus.success
    }

    /// What became of a task last and when that was; of a run that goes on, its beginning.
    private static func cells(_ last: RunRecord?) -> [String] {
        guard let last else { return ["-", "never"] }
        let isOver = last.outcome != nil
        return [RunTable.standing(of: last), ((isOver ? last.endedAt : last.startedAt) ?? last.submittedAt).iso8601]
    }

    /// What the last runs were not held to.
    private static func tellDegraded(_ runs: [RunRecord], _ terminal: Terminal) {
        for line in DegradedText.lines(runs) { terminal.note("taskhost: \(line)") }
    }

    private static func columns(isServed: Bool) -> [(String, Bool)] {
        [("IDENTIFIER", false), ("KIND", false), ("BUDGET", true)]
            + (isServed ? [("STATE", false), ("WAITING FOR", false), ("NEXT", false)] : [])
            + [("LAST", false), ("WHEN", false)]
    }

    /// What a host that serves the state folder knows of its tasks, by their identifiers.
    private struct Present {
        var tasks: [String: JSONValue] = [:]

        init?(_ client: (any HostClient)?) throws(Failure) {
            guard let client else { return nil }
            for task in try client.tasks() {
                if let identifier = task["identifier"]?.string { tasks[identifier] = task }
            }
        }
    }
}
