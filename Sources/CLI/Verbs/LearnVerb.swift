import JSON
import Learning
import Linux
import TaskModel

/// `taskhost learn TASK`
enum LearnVerb: Verb {
    static let name = "learn"
    static let summary = "find the least permissions that a program's task needs"
    static let help = """
        usage: taskhost learn TASK [--runs N] [--prove] [--write]

        Runs the task now with all rights of its user, watches what it and its children open, execute, change and connect
        to, and prints the least permissions under which it could do the same confined, each with what was seen. Folders
        are named only where a person would name them: the machine's own folders, homes, keys and passwords stand apart,
        and need a yes each, --grant PLACE. What was seen is a proposal. --prove runs the task confined by it, twice, and
        again without each line, and leaves out what it does not need. --write proves it by two confined runs (with
        --prove also each line), and puts it into the task's manifest with "confinement": "full"; a task that shares its
        manifest with others gets one of its own. All these runs have all effects of the task; learn says how many there
        will be, and asks. A line for writing stays where a confined run had nothing to write: --before puts that back.

        While it is watched the task has no set-user-ID rights and no io_uring. Records of these runs are beside the state
        folder, in …-private/learn.

        exit status: 0 learned (and proved) · 1 the confined runs differ, or, without them, something stands apart or
        cannot be granted · 17 refused · 64 usage · 65 bad manifest · 73 the manifest cannot be written.
        """
    static let options: [Option] =
        [
            .valued("--runs", "N", "watch so many runs and join what they did (default 1)"),
            .flag("--prove", "run it confined, and without each line"),
            .flag("--write", "put the permissions into the manifest, if confined runs do the same"),
            .valued("--grant", "PLACE", "a yes to a place that stands apart", repeatable: true),
            .valued("--before", "COMMAND", "a shell's command before each run, which puts back what the task changes"),
            .valued("--wall", "TIME", "when a run is ended (default the task's budget, or 10m)"),
            .flag("--yes", "do not ask"),
        ] + PayloadOption.options + [.manifests, .state, .config, .json]

    private static let mostRuns = 100

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let configuration = try Configuration.read(arguments, terminal)
        let runs = try arguments.number("--runs", in: 1...mostRuns) ?? 1
        let subject = try LearningSubject(arguments, configuration, terminal)
        let payload = try PayloadOption.read(arguments, of: name)
        let bench = try LearningBench(subject, arguments, payload: payload, configuration, terminal)
        let mustProve = arguments.has("--prove") || arguments.has("--write")
        if arguments.has("--write") { try LearnedManifest.check(subject) }
        if mustProve || runs > 1 { try ask(arguments, subject, runs, mustProve, terminal) }

        var seen: [[Observation]] = []
        var watched: LearningBench.Trial?
        for number in 1...runs {
            terminal.status("watching run \(number) of \(runs) of \(subject.task.identifier)")
            let (observations, trial) = try bench.watch(number)
            seen.append(observations)
            watched = trial
            guard trial.record.outcome != .refused else { throw refusal(trial.record) }
            if trial.record.outcome != .succeeded {
                let status = trial.record.figures.exitStatus.map { ", exit status \($0)" } ?? ""
                let last = Proof.lastLines(of: trial).joined()
                terminal.note(
                    "taskhost: run \(number) \(trial.record.outcome?.name ?? "has no outcome")\(status); "
                        + "\(subject.task.identifier): \(last.isEmpty ? "it printed nothing" : last); a proposal for a task that "
                        + "fails may be less than it needs")
            }
        }
        let places = LearnedPlaces(
            home: [subject.home, real(subject.home)],
            granted: bench.granted + (OwnMounts.areAllowed ? [LearnedPlaces.sharedMemory] : []),
            allowed: Set(arguments.all("--grant").map(real)))
        var shown = ProposalText(task: subject.task.identifier, proposal: Proposal(seen, places))
        for place in Set(arguments.all("--grant").map(real)) where !seen.joined().contains(where: { $0.place == place })
        {
            terminal.note("taskhost: nothing was seen of a place that --grant names; \(place); see what stands apart")
        }
        var failure: String?
        if arguments.has("--write"), watched?.record.outcome != .succeeded {
            failure = "the watched run did not succeed: \(watched?.record.outcome?.name ?? "")"
        } else if mustProve, let watched {
            let proof = try Proof(
                shown.proposal, on: bench, watched: watched, dropsLines: arguments.has("--prove")
            ) { terminal.status("proving: \($0)") }
            failure = proof.failure
            shown = ProposalText(task: shown.task, proposal: proof.proposal, verdicts: proof.verdicts)
        }
        terminal.clearStatus()
        return try finish(shown, failure, subject, arguments, terminal)
    }

    private static func real(_ path: String) -> String { FileSystem.realPath(path) ?? path }

    private static func refusal(_ record: RunRecord) -> Failure {
        Failure(
            Outcome.refused.exitStatus,
            "the task was refused; \(record.identifier): \(record.diagnostics.joined(separator: "; ")); correct that, "
                + "then learn it again")
    }

    private static func finish(
        _ shown: ProposalText, _ failure: String?, _ subject: LearningSubject, _ arguments: Arguments,
        _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let isProved = arguments.has("--prove") || arguments.has("--write")
        var document = shown.json.adding("proved", isProved ? .bool(failure == nil) : .null)
            .adding("difference", JSONOutput(failure)).adding("manifest", .null)
        var last = ""
        if let failure {
            last = "not proved: confined it ended otherwise: \(failure)"
        } else if arguments.has("--write") {
            let manifest = try LearnedManifest(shown.proposal, subject)
            try manifest.write()
            document = document.setting("manifest", .string(manifest.path))
            last = "wrote \(manifest.path): the task runs confined from now on"
            for loss in manifest.losses { last += "\n\(loss)" }
        } else if arguments.has("--prove") {
            last = "proved: confined runs do the same; taskhost learn \(shown.task) --write puts this into its manifest"
        } else {
            last =
                "a proposal from \(shown.proposal.runs == 1 ? "one run" : "\(shown.proposal.runs) runs"); "
                + "taskhost learn \(shown.task) --prove shows that it is enough, --write puts it into the manifest"
        }
        terminal.print(document, or: shown.text(width: terminal.outWidth) + "\n\n" + last, for: arguments)
        if isProved { return failure == nil ? ExitStatus.success : ExitStatus.fault }
        return shown.proposal.obstacles.isEmpty && shown.proposal.apart.isEmpty ? ExitStatus.success : ExitStatus.fault
    }

    /// All these runs have effects.
    private static func ask(
        _ arguments: Arguments, _ subject: LearningSubject, _ runs: Int, _ proves: Bool, _ terminal: Terminal
    ) throws(Failure) {
        guard !arguments.has("--yes") else { return }
        let times = runs == 1 ? "once" : "\(runs) times"
        let lines =
            arguments.has("--prove")
            ? ", once or twice more without each line of the proposal, and once in the end" : ""
        let count = proves ? "\(times) watched and twice confined\(lines)" : times
        let sentence = "\(subject.task.identifier) runs \(count), with all its effects"
        guard StandardStream.input.isTerminal, terminal.isInteractive else {
            throw .usage("\(sentence); taskhost learn; say that you want it with --yes")
        }
        terminal.note("\(sentence). Go on? [y/N]")
        let answer = String(decoding: (try? StandardStream.input.read(16)) ?? [], as: UTF8.self)
        guard answer.lowercased().hasPrefix("y") else {
            throw .usage("nothing was run; taskhost learn; start it again")
        }
    }
}
