import Control
import JSON

/// `taskhost skip ID…`
enum SkipVerb: Verb {
    static let name = "skip"
    static let summary = "skip the next time of a schedule"
    static let help = """
        usage: taskhost skip ID…

        Skips the next time of each task's schedule, or the current one if it is still waiting; the time after it stays.
        taskhost why and taskhost list show the skipped time.
        """
    static let options: [Option] = [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard !arguments.words.isEmpty else {
            throw .usage("nothing to leave out; taskhost skip; name a task that has a schedule")
        }
        let client = try HostAccess.openAny(arguments, terminal, starts: true)
        var skipped: [JSONValue] = []
        for name in arguments.words {
            let word = try client.identifier(for: name)
            let document = try client.document(.skipTime, word)
            skipped.append(document)
            guard !arguments.isJSON else { continue }
            let next =
                terminal.times.textIfAny(document["scheduledFor"]).map { "the next time is \($0)" }
                ?? "its schedule has no more times"
            terminal.print("\(word) leaves out \(terminal.times.cell(document["leftOut"])); \(next)")
        }
        if arguments.isJSON { terminal.print(.object(["skipped": .array(skipped.map { JSONOutput($0) })])) }
        return ExitStatus.success
    }
}
