import Control

/// Answers as a test says.
final class ScriptedHandler: ControlHandler {
    var requests: [ControlRequest] = []
    var streams: [any ControlStream] = []
    var closedStreams = 0
    /// What to do with a request; without it every one is answered at once with its own path.
    var answering: ((ControlRequest, @escaping (ControlReply) -> Void) -> Void)?

    func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        requests.append(request)
        guard let answering else {
            answer(.text(Array(request.path.utf8)))
            return
        }
        answering(request, answer)
    }

    func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply? {
        streams.append(stream)
        stream.didClose = { [weak self] in self?.closedStreams += 1 }
        return nil
    }
}
