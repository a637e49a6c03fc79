import Control
import JSON
import TaskModel

/// Whoever answers the control API.
protocol ControlClient: AnyObject {
    /// Asks and waits for the reply, of whatever status.
    ///
    /// - Throws: when the host cannot be reached or went away.
    func send(_ request: ControlRequest) throws(Failure) -> ControlReply
}

/// Whoever has the record: a host that serves, or its file.
protocol RecordClient: ControlClient {
    /// Copies the whole record to a file that grows.
    ///
    /// - Parameter progress: bytes so far, and all.
    /// - Returns: bytes.
    func copyRecord(to file: BackupFile, progress: (Int64, Int64) -> Void) throws(Failure) -> Int64
}

/// A host: one that serves the state folder, or one in this process.
protocol HostClient: ControlClient {
    /// Whether Ctrl-C and SIGTERM are for the verb to hear; false: the host hears them, and warns what runs.
    var leavesSignals: Bool { get }

    /// Follows the host's events until `body` returns false or the host ends the stream.
    ///
    /// `body` may `send`. It first gets `opened`: it receives everything from then on.
    /// - Parameters:
    ///   - choice: which events.
    ///   - inputs: descriptors to watch as well, such as the keyboard.
    ///   - pause: asked before each wait: how long it may last.
    /// - Returns: whether `body` ended it.
    func followOnce(
        _ choice: EventChoice, inputs: [Int32], pause: () -> TimeSpan?, _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool
}

extension HostClient {
    /// The same until `body` returns false. A stream that ends is opened again: it was cut, as happens to slow readers, or
    /// the host has ended, which the next request shows.
    func follow(
        _ choice: EventChoice = .changes, inputs: [Int32], pause: () -> TimeSpan? = { nil },
        _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) {
        while try !followOnce(choice, inputs: inputs, pause: pause, body) {}
    }
}

/// Which events a stream has.
enum EventChoice {
    /// Whatever changes.
    case changes
    /// Also what runs in progress use, once a second: the host wakes for it.
    case changesAndUsage

    var request: ControlRequest {
        switch self {
        case .changes: ControlRequest(.get, ControlServer.eventsPath)
        case .changesAndUsage: ControlRequest(.get, ControlServer.eventsPath, query: [("usage", "true")])
        }
    }
}

/// What happens while events are followed.
enum HostSignal {
    case opened
    case event(HostEvent)
    /// There is something to read from this descriptor.
    case input(Int32)
    /// The pause is over.
    case timeout
}

/// One event of `/v1/events`.
struct HostEvent {
    /// Such as `run.started`.
    var name: String
    var data: JSONValue

    /// The run that it is about.
    var run: ULID? { data.id("run") }
    var identifier: String? { data["identifier"]?.string }
}

extension ControlClient {
    /// Asks, and turns a problem into the failure that ends the program.
    func document(
        _ route: Route, _ parameter: String? = nil, query: [(name: String, value: String)] = [],
        body: JSONOutput? = nil
    ) throws(Failure) -> JSONValue {
        try parsed(try bytes(route, parameter, query: query, body: body), route)
    }

    private func parsed(_ bytes: [UInt8], _ route: Route) throws(Failure) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(bytes, maximumBytes: bytes.count)
        } catch {
            throw .ourBug(
                "the host's reply is not JSON; \(route.pattern): \(error); check that both are of one version")
        }
    }

    /// The same; nil: it does not exist.
    func documentIfThere(_ route: Route, _ parameter: String) throws(Failure) -> JSONValue? {
        let path = route.path(parameter)
        let reply = try send(ControlRequest(route.method, path))
        guard reply.status != 404 else { return nil }
        guard reply.status < 400 else { throw HostProblem.failure(reply, path) }
        return try parsed(reply.body, route)
    }

    /// The run of an id, and its document.
    func run(_ id: String) throws(Failure) -> (record: RunRecord, document: JSONValue) {
        let document = try document(.showRun, id)
        guard let record = RunDocument.read(document) else {
            throw .ourBug("the host's reply is not a run; \(id); check that both are of one version")
        }
        return (record, document)
    }

    /// All tasks, page by page.
    func taskIdentifiers() throws(Failure) -> [String] { try tasks().compactMap { $0["identifier"]?.string } }

    func tasks() throws(Failure) -> [JSONValue] {
        let limit = 1000
        var tasks: [JSONValue] = []
        while true {
            var query = [(name: "limit", value: "\(limit)")]
            if let last = tasks.last?["identifier"]?.string { query.append(("after", last)) }
            let page = try document(.listTasks, query: query)["tasks"]?.array ?? []
            tasks += page
            guard page.count == limit else { return tasks }
        }
    }

    /// The same for a body that is not JSON.
    func bytes(
        _ route: Route, _ parameter: String? = nil, query: [(name: String, value: String)] = [],
        body: JSONOutput? = nil
    ) throws(Failure) -> [UInt8] {
        let path = route.path(parameter ?? "")
        let reply = try send(ControlRequest(route.method, path, query: query, body: body?.bytes() ?? []))
        guard reply.status < 400 else { throw HostProblem.failure(reply, path) }
        return reply.body
    }
}

/// A refusal of the host as the program's last sentence.
enum HostProblem {
    static func failure(_ reply: ControlReply, _ path: String) -> Failure {
        let problem = try? JSONParser.parse(reply.body, maximumBytes: 1 << 20)
        let sentence =
            problem?["detail"]?.string
            ?? "the host answered with status \(reply.status); \(path); check that both are of one version"
        let type = problem?["type"]?.string
        let isRefusal = problem?["code"] != nil || type == "urn:taskhost:problem:transfer-refused"
        let status =
            type == "urn:taskhost:problem:record" ? ExitStatus.cannotCreate : exitStatus(reply.status, isRefusal)
        var failure = Failure(status, sentence)
        failure.problem = problem
        return failure
    }

    private static func exitStatus(_ status: Int, _ isRefusal: Bool) -> Int32 {
        switch status {
        case _ where isRefusal: Outcome.refused.exitStatus
        case 403, 503: ExitStatus.unreachable
        case 400..<500: ExitStatus.usage
        default: ExitStatus.ourBug
        }
    }
}
