import Host
import Setting
package import TaskModel

// The application is called for the events of its background sessions.
extension CheckBench {
    /// What happened then.
    package enum Handling {
        /// It has made none.
        case noSession
        /// It called every completion handler, after so long.
        case handled(sessions: Int, TimeSpan)
        /// The host ended it.
        case terminated(Termination)
        case unanswered
    }

    /// After `leave`: the application may create sessions while it is in the foreground.
    package func handleSessionEvents() throws(CheckFault) -> Handling {
        guard let application = host.installed.application(named: identifier) else { return .noSession }
        host.decider.refreshClock()
        let sessions = host.transfers.callForEvents(of: application)
        guard !sessions.isEmpty else { return .noSession }
        let began = host.moment.instant
        let limits = host.place.configuration.profile
        // A little more than it has, which begins with its launch.
        let span = limits.launch + limits.eventTime + limits.lifecycleCallback
        _ = try turn(within: span) {
            !self.host.transfers.awaitsHandling(by: application) || self.termination != nil
        }
        if let termination { return .terminated(termination) }
        guard !host.transfers.awaitsHandling(by: application) else { return .unanswered }
        return .handled(sessions: sessions.count, host.moment.instant - began)
    }
}
