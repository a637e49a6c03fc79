import Control
import JSON
import TaskModel

/// `taskhost retry RUN`
enum RetryVerb: Verb {
    static let name = "retry"
    static let summary = "request a past run again, with its payload and settings"
    static let help = """
        usage: taskhost retry RUN

        Submits a new request for the task of a past run, with the same payload and the same settings. The host starts it as
        soon as its conditions allow, as after taskhost submit; the past run stays as it is. RUN is an id, or its first 8
        characters or more; or a task, which means its last run.

        exit status: 0 it is on disk · 17 refused · 64 usage, an unknown run, a run in progress, a task that no manifest
        has any more, or a payload that is not kept · 69 the host cannot be reached
        """
    static let options: [Option] = [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let word = try arguments.onlyWord(
            of: name, "run", "write its id, or the first 8 characters or more, or a task for its last")
        let client = try HostAccess.openAny(arguments, terminal, starts: true)
        let run = try run(word, client)
        let request = try client.document(.retryRun, run)
        let identifier = request["identifier"]?.string ?? run
        let waiting = request["waiting"]?.string.map { "; it waits for \(terminal.times.words($0))" } ?? ""
        terminal.print(JSONOutput(request), or: "\(identifier) is pending again\(waiting)", for: arguments)
        return ExitStatus.success
    }

    /// The id of a task's last run, or else the word.
    private static func run(_ word: String, _ client: any HostClient) throws(Failure) -> String {
        guard !word.isEmpty, word.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) else {
            throw .usage("this is not a run's id; \(JSONWriter.quoted(word)); see taskhost history")
        }
        // A whole id costs no question.
        guard ULID(word) == nil else { return word }
        let word = try client.identifier(for: word)
        // An id has no dots, every identifier of a task does.
        guard word.utf8.contains(UInt8(ascii: ".")) else { return word }
        let page = try client.document(
            .listRuns, query: [(name: "identifier", value: word), (name: "limit", value: "1")])
        guard let last = page["runs"]?.array?.first?["run"]?.string else {
            throw .usage("it has no run; \(word); see taskhost history, or request one with taskhost submit")
        }
        return last
    }
}
