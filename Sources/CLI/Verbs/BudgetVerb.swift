import JSON
import Linux
import Record
import Setting
import TaskModel

/// `taskhost budget TASK`
enum BudgetVerb: Verb {
    static let name = "budget"
    static let summary = "propose a task's budget from what its runs used"
    static let help = """
        usage: taskhost budget TASK [--write]

        Proposes the manifest's budget from the last 30 runs that succeeded: of wall clock, CPU time and memory half as much
        again as 99 of 100 runs used, rounded up, and at least 5s, 1s and 16MiB. A run that used more than three times what
        nine of ten used is an outlier: it is named, and does not count. Where runs ended because they had reached their
        budget, what they need is not known, and twice that budget is proposed. --write puts the proposal into the manifest;
        grace, disk and stall stay as they are.

        exit status: 0 proposed (and written) · 64 usage, or fewer than 5 runs that succeeded · 65 bad manifest · 73 the
        manifest cannot be written.
        """
    static let options: [Option] = [
        .flag("--write", "put the budget into the task's manifest"), .manifests, .state, .config, .json,
    ]

    /// Runs that are looked at for those that succeeded.
    private static let past = 300

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let configuration = try Configuration.read(arguments, terminal)
        let word = try arguments.onlyWord(of: name, "task", "name a task; see taskhost list")
        let found = try ManifestTask(word, arguments, configuration, terminal)
        if arguments.has("--write") { try ManifestFile.check(found.path) }
        let identifier = found.task.identifier
        let record = try RecordAccess.openIfAny(arguments)
        let runs =
            try record.map { record throws(Failure) in
                try Self.runs(of: identifier, found.application.definition.identifier, in: record)
            } ?? []
        terminal.note(unreadable: record?.unreadable ?? [], damage: record?.damage)
        guard let proposal = BudgetProposal(runs, found.task.budget) else {
            let count = runs.count { $0.outcome == .succeeded }
            throw .usage(
                "too few runs to propose a budget from; \(identifier): \(count) succeeded; run it until \(BudgetProposal.least) "
                    + "did, or write a budget by hand")
        }
        let shown = BudgetText(task: identifier, proposal: proposal)
        if arguments.has("--write") { try write(proposal, found) }
        let last =
            arguments.has("--write")
            ? "wrote \(found.path)" : "taskhost budget \(identifier) --write puts it into \(found.path)"
        terminal.print(
            shown.json.adding("manifest", arguments.has("--write") ? .string(found.path) : .null),
            or: shown.text(width: terminal.outWidth) + "\n\n" + last, for: arguments)
        return ExitStatus.success
    }

    /// Of a pattern's task those of every identifier that it stands for.
    private static func runs(
        of identifier: String, _ application: String, in record: Past
    ) throws(Failure) -> [RunRecord] {
        guard identifier.hasSuffix(".*") else { return try record.runs(of: identifier, limit: past) }
        return try record.runs(of: application, limit: past).filter {
            IdentifierPattern.pattern(for: $0.identifier) == identifier
        }
    }

    private static func write(_ proposal: BudgetProposal, _ found: ManifestTask) throws(Failure) {
        guard ManifestTask.text(of: found.path) == found.text,
            let document = try? JSONParser.parse(found.text, maximumBytes: found.text.count),
            let tasks = document["tasks"], let task = tasks[found.task.identifier]
        else {
            throw .cannotCreate(
                "the manifest has changed meanwhile, or has another form; \(found.path); ask for the budget again")
        }
        func output(_ value: JSONValue) -> JSONOutput { JSONOutput(value, asIn: found.text) }
        var budget = task["budget"].map(output) ?? .object([])
        for line in proposal.lines { budget = budget.setting(line.figure.rawValue, .string(line.manifestText)) }
        let text = output(document)
            .setting("tasks", output(tasks).setting(found.task.identifier, output(task).setting("budget", budget)))
            .text(.pretty)
        try ManifestFile.write(text, to: found.path)
    }
}
