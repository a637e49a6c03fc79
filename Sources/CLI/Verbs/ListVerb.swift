import Control
import JSON
import Manifests
import Record
import Serving
import Setting
import TaskModel

/// `taskhost list`
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "applications and tasks, and their last outcomes"
    static let help = """
        usage: taskhost list
               taskhost list --fleet [--database TEXT]

        Lists the tasks of all valid manifests with their kind, budget and last outcome, and the applications without
        tasks. With a daemon it lists the daemon's tasks, unless --manifests names others, with the application's state
        and what a request waits for. WHEN is the end of the last run, or the start of one in progress. WHEN and NEXT say
        how far away that is, or a day away the date; --utc always the date. TERMINATED says why and when the host last
        ended a process of the task's application; the column is missing when it would be empty. Manifests and tasks that
        are not used follow with the reason. With --fleet it lists what the live hosts of a fleet install, and where it
        could start now.
        """
    static let options: [Option] = FleetOption.options + [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name, "name manifests with --manifests")
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.list(arguments, terminal)
            return ExitStatus.success
        }
        if arguments.all("--manifests").isEmpty, let client = try HostAccess.openIfServed(arguments) {
            return try list(client, arguments, terminal)
        }
        let configuration = try Configuration.read(arguments, terminal)
        let catalogue = Catalogue(
            try Places.manifests(arguments), profile: configuration.profile, accounts: AccountRules(configuration))
        BadManifests.tell(catalogue, terminal)
        let client = try HostAccess.openAny(arguments) { () throws(Failure) in
            try local(catalogue, configuration, arguments, terminal)
        }
        let isServed = client is RemoteClient
        let present = try Present(client)
        var documents: [JSONOutput] = []
        var bare: [JSONOutput] = []
        var shown: [RunRecord] = []
        var rows = TaskRows(isServed: isServed, terminal.times)
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
                    task.identifier, kind: task.kind.name, application.definition.confinement, budget: wallClock,
                    now: now, last, end)
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
        let unused = try UnusedWork(of: client)
        if arguments.isJSON {
            terminal.print([
                "tasks": .array(tasks.map { JSONOutput($0) }), "applications": .array(bare.map { JSONOutput($0) }),
                "unused": unused.document,
            ])
            return ExitStatus.success
        }
        var rows = TaskRows(isServed: true, terminal.times)
        var lastRuns: [RunRecord] = []
        for task in tasks {
            let last = task["lastRun"].flatMap(RunDocument.read)
            if let last { lastRuns.append(last) }
            rows.add(
                ListCell.text(task["identifier"]), kind: ListCell.text(task["kind"]),
                ConfinementLevel(rawValue: task["confinement"]?.string ?? "") ?? .full,
                budget: task["budget"]?.span("wallClock"), now: task, last,
                task["lastTermination"].flatMap(TerminationDocument.read))
        }
        for application in bare {
            rows.add(
                bare: ListCell.text(application["identifier"]), state: TaskRows.state(of: application),
                application["lastTermination"].flatMap(TerminationDocument.read))
        }
        rows.print(terminal)
        for line in unused.shownLines { terminal.note("taskhost: \(line)") }
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
        private struct Row {
            var cells: [String]
            /// Of the application's processes.
            var end: Termination?
            var confinement: ConfinementLevel
        }
        private var rows: [Row] = []
        private let times: ShownTimes

        init(isServed: Bool, _ times: ShownTimes) { (self.isServed, self.times) = (isServed, times) }

        /// - Parameters:
        ///   - budget: of wall-clock time; nil: none.
        ///   - now: the host's data.
        ///   - end: of the application's processes.
        mutating func add(
            _ identifier: String, kind: String, _ confinement: ConfinementLevel, budget: TimeSpan?, now: JSONValue?,
            _ last: RunRecord?, _ end: Termination?
        ) {
            let present = [
                Self.state(of: now), times.words(ListCell.text(now?["waiting"])), times.nearCell(now?["next"]),
            ]
            let cells = [identifier, kind, budget?.description ?? "none"] + (isServed ? present : [])
            rows.append(Row(cells: cells + self.cells(last), end: end, confinement: confinement))
        }

        /// An application without tasks.
        mutating func add(bare identifier: String, state: String, _ end: Termination?) {
            let now = isServed ? [state, "-", "-"] : []
            rows.append(
                Row(cells: [identifier, "application", "-"] + now + ["-", "never"], end: end, confinement: .full))
        }

        /// The outcome and end of a task's last run; for a run in progress, its start.
        private func cells(_ last: RunRecord?) -> [String] {
            guard let last else { return ["-", "never"] }
            let isOver = last.outcome != nil
            return [
                RunRows.standing(of: last), times.near((isOver ? last.endedAt : last.startedAt) ?? last.submittedAt),
            ]
        }

        /// The state of a task's application, and the user's settings for it.
        static func state(of task: JSONValue?) -> String {
            ListCell.text(task?["state"]) + (task?["forceQuit"]?.bool == true ? ", quit" : "")
                + (task?["refreshDenied"]?.bool == true ? ", no refresh" : "")
        }

        func print(_ terminal: Terminal) {
            guard !rows.isEmpty else { return terminal.note("no tasks") }
            let isMixed = rows.contains { $0.confinement != .full }
            let hasEnds = rows.contains { $0.end != nil }
            var table = TextTable(
                ["IDENTIFIER", "KIND", "BUDGET"] + (isServed ? ["STATE", "WAITING FOR", "NEXT"] : [])
                    + ["LAST", "WHEN"] + (isMixed ? ["CONFINEMENT"] : []) + (hasEnds ? ["TERMINATED"] : []),
                right: ["BUDGET"],
                whole: ["IDENTIFIER", "LAST"])
            for row in rows {
                let end = row.end.map { "\($0.reason.name) \(times.near($0.at))" } ?? "-"
                table.add(row.cells + (isMixed ? [row.confinement.rawValue] : []) + (hasEnds ? [end] : []))
            }
            terminal.print(table.text(width: terminal.outWidth))
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
