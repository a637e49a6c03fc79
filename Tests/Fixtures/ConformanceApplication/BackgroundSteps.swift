import Synchronization
import UIKit

/// Steps about background time. `plan` keeps those that follow it for the next time that the application enters the background.
final class BackgroundSteps: Sendable {
    static let shared = BackgroundSteps()
    private struct State {
        var plan: [String] = []
        /// Stretches that have not been ended, in the order in which they were begun.
        var held: [UIBackgroundTaskIdentifier] = []
    }
    private let state = Mutex(State())

    /// False for a word that it does not know.
    func take(_ word: String, _ words: [String]) -> Bool {
        switch word {
        case "plan": state.withLock { $0.plan.append(words.joined(separator: " ")) }
        case "hold": hold(words[0], isEnded: true)
        case "leak": hold(words[0], isEnded: false)
        case "time": Trace.note("\(words[0]) \(UIApplication.shared.backgroundTimeRemaining)")
        case "sleep": Thread.sleep(forTimeInterval: Double(words[0]) ?? 0)
        case "blockMain": DispatchQueue.main.async { Thread.sleep(forTimeInterval: 120) }
        case "endAll": endAll(every: Double(words[0]) ?? 0)
        case "misuse": misuse()
        case "activity": activity()
        case "lateActivity": lateActivity()
        case "beside":
            let rest = words
            Thread { for step in rest { self.perform(step.replacing("=", with: " ")) } }.start()
        default: return false
        }
        return true
    }

    /// The application is in the background.
    func enter() { for step in state.withLock({ $0.plan }) { perform(step) } }

    private func perform(_ step: String) {
        let words = step.split(separator: " ").map(String.init)
        _ = take(words[0], Array(words.dropFirst()))
    }

    // MARK: Stretches

    private func hold(_ name: String, isEnded: Bool) {
        let own = Mutex(UIBackgroundTaskIdentifier.invalid)
        let begun = UIApplication.shared.beginBackgroundTask(withName: name) { [self] in
            Trace.note("\(name) expired main \(Thread.isMainThread)")
            Trace.note("\(name) returns")
            // It may be the last thing that is done before everything is frozen.
            if isEnded { end(own.withLock { $0 }) }
        }
        own.withLock { $0 = begun }
        state.withLock { $0.held.append(begun) }
    }

    private func end(_ stretch: UIBackgroundTaskIdentifier) {
        state.withLock { $0.held.removeAll { $0 == stretch } }
        UIApplication.shared.endBackgroundTask(stretch)
    }

    /// Ends one after the other, with pauses before each.
    private func endAll(every pause: Double) {
        Thread { [self] in
            while let next = state.withLock({ $0.held.first }) {
                Thread.sleep(forTimeInterval: pause)
                Trace.note("ends one of \(state.withLock { $0.held.count })")
                end(next)
            }
        }.start()
    }

    private func misuse() {
        let ended = UIApplication.shared.beginBackgroundTask(withName: "ended")
        for number in [ended, ended, .invalid, UIBackgroundTaskIdentifier(rawValue: 99)] {
            UIApplication.shared.endBackgroundTask(number)
        }
    }

    // MARK: Activities

    /// Works until it is asked to stop.
    private func activity() {
        let stop = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "activity") { expired in
            Trace.note("activity expired \(expired)")
            if expired {
                Trace.note("activity stops")
                stop.signal()
            } else {
                stop.wait()
                Trace.note("activity stopped")
            }
        }
    }

    /// Begins an activity when there is no time left.
    private func lateActivity() {
        let own = Mutex(UIBackgroundTaskIdentifier.invalid)
        let begun = UIApplication.shared.beginBackgroundTask(withName: "late") { [self] in
            let called = DispatchSemaphore(value: 0)
            ProcessInfo.processInfo.performExpiringActivity(withReason: "late activity") { expired in
                Trace.note("late activity expired \(expired)")
                called.signal()
            }
            called.wait()
            end(own.withLock { $0 })
        }
        own.withLock { $0 = begun }
    }
}
