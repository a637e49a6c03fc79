import Control
import JSON
import TaskModel

/// `taskhost simulate launch|expiration ID`
enum SimulateVerb: Verb {
    static let name = "simulate"
    static let summary = "launch a pending request now, or expire a run"
    static let help = """
        usage: taskhost simulate launch ID [--no-wait]
               taskhost simulate expiration ID

        The two debugging commands of the BackgroundTasks framework. launch starts the pending request of a task
        regardless of what it waits for, shows its output, and ends with its outcome as taskhost run does. expiration
        warns the task's run as if its time were over. The journal records both.

        exit status of launch: that of the outcome, as in taskhost run --help · 64 nothing is pending
        """
    static let options: [Option] = [
        .flag("--no-wait", "launch: return as soon as it is started"),
        .flag("--quiet", "launch: do not show the handler's output"),
        .flag("--watch", "launch: show progress, without a terminal a line for each step"), .manifests, .state, .config,
        .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let words = arguments.words
        guard words.count == 2, ["launch", "expiration"].contains(words[0]) else {
            throw .usage(
                "launch or expiration, and one task are needed; taskhost simulate; write taskhost simulate launch ID")
        }
        let client = try HostAccess.openAny(arguments, terminal)
        let body: JSONOutput = ["identifier": .string(words[1])]
        if words[0] == "launch" && !arguments.has("--no-wait") {
            let follower = RunFollower(
                client, terminal, showsOutput: !arguments.isJSON && !arguments.has("--quiet"),
                showsProgress: !arguments.isJSON, watches: arguments.has("--watch"))
            try follower.follow { () throws(Failure) in
                [try StartedRun.id(in: try client.document(.simulateLaunch, body: body), terminal)]
            }
            let records = try follower.records()
            RunReport.print(records, arguments, terminal)
            return RunReport.exitStatus(records)
        }
        let document = try client.document(
            words[0] == "launch" ? .simulateLaunch : .simulateExpiration, body: body)
        if arguments.isJSON {
            terminal.print(JSONOutput(document))
        } else {
            let run = try StartedRun.id(in: document, terminal)
            terminal.print(words[0] == "launch" ? "\(run) is started" : "\(run) is warned")
        }
        return ExitStatus.success
    }
}

/// The host's answer about a run that it started.
enum StartedRun {
    /// Tells the user what it waits for, although it runs regardless of conditions.
    static func id(in document: JSONValue, _ terminal: Terminal) throws(Failure) -> ULID {
        guard let run = document["run"]?.string.flatMap({ ULID($0) }) else {
            throw Failure(
                ExitStatus.ourBug,
                "the host's reply names no run; \(document.compactText); check that both are of one version")
        }
        if let wanted = document["waitsFor"]?.string {
            terminal.note(
                "taskhost: \(document["identifier"]?.string ?? run.description) waits for \(wanted); "
                    + "taskhost device set sleep=off ends what device set began; Ctrl-C ends the run")
        }
        return run
    }
}
