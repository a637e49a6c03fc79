import Control
import JSON
import TaskModel

/// `taskhost cancel ID… | RUN… | --all`
enum CancelVerb: Verb {
    static let name = "cancel"
    static let summary = "cancel requests or runs"
    static let help = """
        usage: taskhost cancel ID… | RUN… | --all
               taskhost cancel REQUEST… --fleet [--database TEXT]

        Cancels the pending request of each task, or all of them. The times of schedules stay: taskhost skip ID skips
        the next one. With the id of a run it cancels the run, like Ctrl-C in taskhost run: the run is warned, and
        killed at the end of its grace. With --fleet it takes back requests of a fleet, by their keys; one that runs is
        stopped by its host.
        """
    static let options: [Option] = [
        .flag("--all", "cancel every pending request"), FleetOption.fleet, FleetOption.database, .manifests, .state,
        .config, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has(FleetOption.fleet.name) {
            try FleetRequests.cancel(arguments, terminal)
            return ExitStatus.success
        }
        guard arguments.has("--all") != !arguments.words.isEmpty else {
            throw .usage(
                arguments.words.isEmpty
                    ? "nothing to cancel; taskhost cancel; name a task or a run, or write --all"
                    : "--all and names exclude each other; taskhost cancel; leave one out")
        }
        let client = try HostAccess.openAny(arguments, terminal, manifests: arguments.has("--all") ? .ifAny : .needed)
        var cancelled: Int64 = 0
        var runs: [ULID] = []
        if arguments.has("--all") { cancelled = count(try client.document(.cancelRequests)) }
        for word in arguments.words {
            if let run = ULID(word) {
                _ = try client.document(.cancelRun, run.description)
                runs.append(run)
                continue
            }
            let found = count(try client.document(.cancelRequest, try client.identifier(for: word)))
            if found == 0, !arguments.isJSON { terminal.note("nothing was pending for \(word)") }
            cancelled += found
        }
        if arguments.isJSON {
            terminal.print([
                "cancelled": .integer(cancelled), "runs": .array(runs.map { .string($0.description) }),
            ])
            return ExitStatus.success
        }
        if cancelled > 0 || runs.isEmpty {
            terminal.print("\(cancelled) \(cancelled == 1 ? "request" : "requests") taken back")
        }
        for run in runs { terminal.print("\(run) is being stopped") }
        return ExitStatus.success
    }

    private static func count(_ document: JSONValue) -> Int64 { document["cancelled"]?.integer ?? 0 }
}
