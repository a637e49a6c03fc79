import Control
import Host
import JSON
import Manifests
import Record
import TaskModel

/// `taskhost list`
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "applications and tasks, and their last outcomes"
    static let help = """
        usage: taskhost list

        Lists the tasks of all valid manifests with their kind, budget and last outcome, and the applications without
        tasks. With a daemon it lists the daemon's tasks, unless --manifests names others, with the application's state
        and what a request waits for. WHEN is the end of the last run, or the start of one in progress. TERMINATED says
        why and when the host last ended a process of the task's application; the column is missing when it would be
        empty.
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
        let client = try HostAccess.openAny(arguments) { () throws(Failure) in
            try local(catalogue, configuration, arguments, terminal)
        }
        let isServed = client is RemoteClient
        let present = try Present(client)
        var documents: [JSONOutput] = []
        var bare: [JSONOutput] = []
        var shown: [RunRecord] = []
        var rows = TaskRows(isServed: isServed)
        for application in catalogue.applications {
            if application.tasks.isEmpty {
                let now = present.applications[application.definition.identifier]
                let end = now?["lastTermination"].flatMap(TerminationDocument.read)
                bare.append(now.map { JSONOutput($0) } ?? bareDocument(application.definition, end))
                rows.add(bare: application.definition.identifier, state: TaskRows.state(of: now), end)
            }
            for task in application.tasks {
                let wallClock = task.budget.wallClock == .unlimited ? nil : task.budget.wallClock
                let now = present.tasks[task.identifier]
                let last = now?["lastRun"].flatMap(RunDocument.read)
                let end = now?["lastTermination"].flatMap(TerminationDocument.read)
                if let last { shown.append(last) }
                documents.append(
                    TaskDocument.json(
                        task, of: application.definition, standing: now.map(TaskDocument.Standing.init), last: last,
                        lastTermination: end))
                rows.add(
                    [task.identifier, task.kind.name, wallClock?.description ?? "none"]
                        + (!isServed
                            ? [] : [TaskRows.state(of: now)] + ["waiting", "next"].map { ListCell.text(now?[$0]) }),
                    last,
                    end)
            }
        }
        if arguments.isJSON {
            terminal.print(.object(["tasks": .array(documents), "applications": .array(bare)]))
        } else {
            rows.print(terminal)
        }
        if !arguments.isJSON { tellDegraded(shown, terminal) }
        return catalogue.hasErrors ? ExitStatus.badManifest : ExitStatus.success
    }

    /// A host of these manifests in this process.
    private static func local(
        _ catalogue: Catalogue, _ configuration: HostConfiguration, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> LocalClient {
        try LocalClient(
            catalogue.applications, writable: catalogue.writable, state: Places.state(arguments), looks: true,
            configuration, terminal)
    }

    /// The daemon's tasks, from its own manifests.
    private static func list(
        _ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let tasks = try client.tasks()
        let bare = try client.document(.listApplications)["applications"]?.array?.filter(isBare) ?? []
        if arguments.isJSON {
            terminal.print(
                .object([
                    "tasks": .array(tasks.map { JSONOutput($0) }), "applications": .array(bare.map { JSONOutput($0) }),
                ]))
            return ExitStatus.success
        }
        var rows = TaskRows(isServed: true)
        var lastRuns: [RunRecord] = []
        for task in tasks {
            let last = task["lastRun"].flatMap(RunDocument.read)
            if let last { lastRuns.append(last) }
            let wallClock = task["budget"]?["wallClock"]?.double.map {
                TimeSpan(nanoseconds: Int64((min(max($0, 0), 3e9) * 1e9).rounded())).description
            }
            rows.add(
                [ListCell.text(task["identifier"]), ListCell.text(task["kind"]), wallClock ?? "none"]
                    + [TaskRows.state(of: task)] + ["waiting", "next"].map { ListCell.text(task[$0]) }, last,
                task["lastTermination"].flatMap(TerminationDocument.read))
        }
        for application in bare {
            rows.add(
                bare: ListCell.text(application["identifier"]), state: TaskRows.state(of: application),
                application["lastTermination"].flatMap(TerminationDocument.read))
        }
        rows.print(terminal)
        tellDegraded(lastRuns, terminal)
        return ExitStatus.success
    }

    /// An application that is there and has no task.
    private static func isBare(_ application: JSONValue) -> Bool {
        application["installed"]?.bool == true && application["tasks"]?.integer == 0
    }

    /// The known data without a daemon.
    private static func bareDocument(_ application: ApplicationDefinition, _ end: Termination?) -> JSONOutput {
        .object([
            "identifier": .string(application.identifier), "name": JSONOutput(application.name),
            "state": .string(ApplicationState.notRunning.name), "installed": .bool(true), "tasks": .integer(0),
            "lastTermination": end.map { TerminationDocument.json($0) } ?? .null,
        ])
    }

    /// Limits that were not enforced for the last runs.
    private static func tellDegraded(_ runs: [RunRecord], _ terminal: Terminal) {
        for line in DegradedText.lines(runs) { terminal.note("taskhost: \(line)") }
    }

    /// The tasks for display.
    private struct TaskRows {
        private let isServed: Bool
        private var rows: [(cells: [String], end: Termination?)] = []

        init(isServed: Bool) { self.isServed = isServed }

        /// - Parameters:
        ///   - cells: all but the daemon's data.
        ///   - end: of the application's processes.
        mutating func add(_ cells: [String], _ last: RunRecord?, _ end: Termination?) {
            rows.append((cells + Self.cells(last), end))
        }

        /// An application without tasks.
        mutating func add(bare identifier: String, state: String, _ end: Termination?) {
            let now = isServed ? [state, "-", "-"] : []
            rows.append(([identifier, "application", "-"] + now + ["-", "never"], end))
        }

        /// The outcome and end of a task's last run; for a run in progress, its start.
        private static func cells(_ last: RunRecord?) -> [String] {
            guard let last else { return ["-", "never"] }
            let isOver = last.outcome != nil
            return [
                RunTable.standing(of: last), ((isOver ? last.endedAt : last.startedAt) ?? last.submittedAt).iso8601,
            ]
        }

        /// The state of a task's application, and the user's settings for it.
        static func state(of task: JSONValue?) -> String {
            ListCell.text(task?["state"]) + (task?["forceQuit"]?.bool == true ? ", quit" : "")
                + (task?["refreshDenied"]?.bool == true ? ", no refresh" : "")
        }

        func print(_ terminal: Terminal) {
            guard !rows.isEmpty else { return terminal.note("no tasks") }
            let hasEnds = rows.contains { $0.end != nil }
            var table = Table(
                [("IDENTIFIER", false), ("KIND", false), ("BUDGET", true)]
                    + (isServed ? [("STATE", false), ("WAITING FOR", false), ("NEXT", false)] : [])
                    + [("LAST", false), ("WHEN", false)] + (hasEnds ? [("TERMINATED", false)] : []))
            for row in rows {
                let end = row.end.map { "\($0.reason.name) \($0.at.iso8601)" } ?? "-"
                table.add(row.cells + (hasEnds ? [end] : []))
            }
            terminal.print(table.text())
        }
    }

    /// A host's data about its tasks, by their identifiers.
    private struct Present {
        var tasks: [String: JSONValue] = [:]
        var applications: [String: JSONValue] = [:]

        init(_ client: any HostClient) throws(Failure) {
            for task in try client.tasks() {
                if let identifier = task["identifier"]?.string { tasks[identifier] = task }
            }
            for application in try client.document(.listApplications)["applications"]?.array ?? [] {
                if let identifier = application["identifier"]?.string { applications[identifier] = application }
            }
        }
    }
}
