import Record
import Scheduling
import TaskModel

// What launches lacked, for the user.
extension Requests {
    /// The run of a request went back because a resource was lacking: its record says what happens to the request.
    func tellReturn(of request: RequestHandle, _ run: RunHandle) {
        guard let tally = decider.request(request)?.shortage else { return }
        let times = tally.returns == 1 ? "" : " (\(tally.returns) times in a row)"
        let sentence =
            "for want of \(tally.cause.wanted)\(times) the request is tried again in \(tally.pause)"
            + (tally.isLasting ? ", and once an hour from now on; see taskhost why" : "")
        runs.diagnose(sentence, run)
    }

    /// The shortage has lasted: the user should know.
    func noteShortage(of request: RequestHandle) {
        guard let tally = decider.request(request)?.shortage, let identifier = identifier(of: request) else {
            return
        }
        announcer.note(
            .shortage, identifier,
            "its launch lacked \(tally.cause.wanted) \(tally.returns) times within an hour; it is tried once an hour now"
        )
    }
}
