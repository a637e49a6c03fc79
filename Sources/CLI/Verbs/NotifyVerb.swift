import Control
import JSON
import TaskModel

/// `taskhost notify APP`
enum NotifyVerb: Verb {
    static let name = "notify"
    static let summary = "deliver a remote notification to an application"
    static let help = """
        usage: taskhost notify APP --payload FILE | --payload-text TEXT

        Delivers a silent push to an application: didReceiveRemoteNotification, with 30 seconds to answer. The payload
        is a JSON object of at most 4096 bytes. The application's manifest needs the mode remote-notification. The
        host's configuration limits the deliveries for each hour (three); a further notification waits, and a newer one
        replaces it. taskhost why APP:push shows until when.

        exit status: 0 it is on disk · 17 refused · 64 usage, or a payload that is too large · 65 the payload is not a
        JSON object · 69 no host can be reached · 73 the payload cannot be read
        """
    static let options: [Option] = PayloadOption.options + [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let identifier = try arguments.onlyWord(of: name, "application", "write its identifier, see taskhost list")
        let payload = try payload(arguments)
        let request = try HostAccess.openAny(arguments, terminal, starts: true).document(
            .notifyApplication, identifier, body: .object([.init("payload", .verbatim(payload))]))
        let waiting = request["waiting"]?.string.map { "; it waits for \(terminal.times.words($0))" } ?? ""
        let next = terminal.times.textIfAny(request["next"]).map { " (\($0))" } ?? ""
        terminal.print(
            JSONOutput(request), or: "a notification for \(identifier) is pending\(waiting)\(next)", for: arguments)
        return ExitStatus.success
    }

    /// A JSON object as one line.
    private static func payload(_ arguments: Arguments) throws(Failure) -> [UInt8] {
        guard arguments.has("--payload") || arguments.has("--payload-text") else {
            throw .usage(
                "a payload is needed; taskhost notify; write --payload FILE, or --payload-text '{\"aps\": {}}'")
        }
        let bytes = try PayloadOption.read(arguments, of: name)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes, maximumBytes: bytes.count)
        } catch {
            throw .badManifest(
                "the payload is not JSON; \(error.position.line):\(error.position.column); \(error); write an object")
        }
        guard case .object = value.content else {
            throw .badManifest(
                "the payload is not a JSON object; taskhost notify; write something like {\"aps\": {\"content-available\": 1}}"
            )
        }
        let payload = value.oneLine(of: bytes)
        guard payload.count <= Route.notificationBytes else {
            throw .usage(
                "the payload has \(payload.count) bytes, and a notification carries at most \(Route.notificationBytes); "
                    + "taskhost notify; put more where the application can fetch it, and say where")
        }
        return payload
    }
}
