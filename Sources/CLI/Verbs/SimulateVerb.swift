import Control
import JSON
import TaskModel

/// `taskhost simulate launch|expiration|FAULT ID`, `taskhost simulate advance TIME`
enum SimulateVerb: Verb {
    static let name = "simulate"
    static let summary = "launch a pending request now, expire a run, or let a fault happen to one"
    static let help = """
        usage: taskhost simulate launch ID [--no-wait]
               taskhost simulate expiration ID
               taskhost simulate crash|kill|slow-launch|disk-full|memory-pressure ID
               taskhost simulate advance TIME

        The two debugging commands of the BackgroundTasks framework. launch starts the pending request of a task
        regardless of what it waits for, shows its output, and ends with its outcome as taskhost run does. expiration
        warns the task's run as if its time were over. The journal records both.

        The others let a fault happen to the task's run in progress, or once to its next one, so that you see what your
        handler makes of it. They need a daemon that was started with taskhost serve --faults.
          crash            its process gets SIGSEGV
          kill             its process gets SIGKILL
          slow-launch      its next process waits for twice the time that a launch may take, before it loads the code
          disk-full        in its next process nothing can be created, and no file can grow: ENOSPC
          memory-pressure  it is warned as when memory is short, the next run a second after its start

        advance moves the clock of a daemon that was started with taskhost serve --clock virtual, by a time such as 90s, 8h
        or 7d. It stops at each moment at which something happens, until what it starts or warns has ended, for 2 s at most.

        exit status of launch: that of the outcome, as in taskhost run --help · 64 nothing is pending
        """
    static let options: [Option] = [
        .flag("--no-wait", "launch: return as soon as it is started"),
        .flag("--quiet", "launch: do not show the handler's output"),
        .flag("--watch", "launch: show progress, without a terminal a line for each step"), .utc, .manifests,
        .state, .config, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let words = arguments.words
        if words.count == 2, words[0] == "advance" { return try advance(words[1], arguments, terminal) }
        let faults = SimulatedFault.allCases.map(\.rawValue)
        guard words.count == 2, (["launch", "expiration"] + faults).contains(words[0]) else {
            throw .usage(
                "launch, expiration or a fault, and one task are needed; taskhost simulate; write taskhost simulate launch ID"
            )
        }
        let client = try HostAccess.openAny(arguments, terminal, lasts: true)
        if faults.contains(words[0]) { return try simulate(fault: words[0], words[1], client, arguments, terminal) }
        let body: JSONOutput = ["identifier": .string(try client.identifier(for: words[1]))]
        if words[0] == "launch" && !arguments.has("--no-wait") {
            let follower = RunFollower(client, arguments, terminal)
            try follower.follow { () throws(Failure) in
                [try StartedRun(try client.document(.simulateLaunch, body: body), terminal)]
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
            let run = try StartedRun(document, terminal).id
            terminal.print(words[0] == "launch" ? "\(run) is started" : "\(run) is warned")
        }
        return ExitStatus.success
    }

    /// Asks until the clock is where it is to be: an answer waits for half a minute at most.
    private static func advance(
        _ text: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        guard let span = TimeSpan(parsing: text), span.nanoseconds > 0 else {
            throw .usage("this is no time to move the clock by; \(text); write one such as 90s, 8h or 7d")
        }
        let client = try HostAccess.openAny(arguments, terminal, lasts: true)
        var document = try client.document(.advanceClock, body: ["seconds": .double(span.seconds)])
        while let left = document["left"]?.double, left > 0 {
            document = try client.document(.advanceClock, body: ["seconds": .double(left)])
        }
        terminal.print(JSONOutput(document), or: "it is \(ListCell.text(document["time"])) now", for: arguments)
        return ExitStatus.success
    }

    private static func simulate(
        fault: String, _ word: String, _ client: any HostClient, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let identifier = try client.identifier(for: word)
        let document = try client.document(
            .simulateFault, body: ["identifier": .string(identifier), "fault": .string(fault)])
        let whose = document["run"]?.string.map { "the run \($0)" } ?? "the next run of \(identifier)"
        terminal.print(JSONOutput(document), or: "\(fault) for \(whose)", for: arguments)
        return ExitStatus.success
    }
}

/// The host's answer about a run that it started.
struct StartedRun {
    let id: ULID
    /// Of its task.
    let identifier: String

    /// Tells the user what it waits for, although it runs regardless of conditions.
    init(_ document: JSONValue, _ terminal: Terminal) throws(Failure) {
        guard let run = document.id("run") else {
            throw .ourBug("the host's reply names no run; \(document.compactText); check that both are of one version")
        }
        if let wanted = document["waitsFor"]?.string {
            terminal.note(
                "taskhost: \(document["identifier"]?.string ?? run.description) waits for \(wanted); "
                    + "taskhost device set sleep=off ends what device set began; Ctrl-C ends the run")
        }
        (id, identifier) = (run, document["identifier"]?.string ?? run.description)
    }
}
