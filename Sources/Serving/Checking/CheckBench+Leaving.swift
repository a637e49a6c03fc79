import Engine
import Host
import Record
import Setting
package import TaskModel

// The user opens the application and sends it to the background.
extension CheckBench {
    /// What happened then.
    package enum Leaving {
        case neverInFront
        /// After so long: its callbacks had returned.
        case suspended(TimeSpan)
        /// After so long it still had something to do.
        case busy(TimeSpan)
        /// The host ended it.
        case terminated(Termination)
    }

    package func leave() throws(CheckFault) -> Leaving {
        guard let application = host.installed.application(named: identifier) else { return .neverInFront }
        let limits = host.place.configuration.profile
        host.decider.refreshClock()
        host.applications.foreground(application)
        let isInFront = try turn(within: limits.launch + limits.lifecycleCallback) {
            self.host.decider.state(of: application) == .active
        }
        guard isInFront else { return .neverInFront }
        let began = host.moment.instant
        host.applications.background(application)
        // A little more than its callbacks have.
        let span = limits.lifecycleCallback + limits.lifecycleCallback
        _ = try turn(within: span) {
            self.host.decider.state(of: application) == .suspended || self.termination != nil
        }
        if let termination { return .terminated(termination) }
        let took = host.moment.instant - began
        return host.decider.state(of: application) == .suspended ? .suspended(took) : .busy(took)
    }

    /// Why the host ended the application; nil: it did not.
    var termination: Termination? { (try? host.history.lastTermination(of: identifier)) ?? nil }

    /// Why the application is not called for the fetches that it requested; nil: it is, or requested none.
    package func lackOfFetch() throws(CheckFault) -> String? {
        do throws(StoreError) {
            return try host.history.journal(before: nil, limit: 1000).elements
                .first { $0.kind == .misuse && $0.text.hasPrefix(EventTasks.lackBegins) }?.text
        } catch {
            throw .host(.store(error))
        }
    }
}
