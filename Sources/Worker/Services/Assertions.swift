import CTaskHost
import Linux
import Synchronization
import TaskModel
import Wire

/// The assertions that this process holds, and its background time.
final class Assertions: Sendable {
    private struct Assertion {
        var id: UInt64
        var warn: (@Sendable () -> Void)?
    }
    private struct State {
        var held: [Assertion] = []
        var lastID: UInt64 = 0
        /// The end of background time for which handlers were called: no assertion begins before another end is
        /// received.
        var warnedFor: Instant?
        /// Invalid or ended ids that were ended again, and reported.
        var reported: Set<UInt64> = []
    }
    /// Numbers that are reported at most.
    private static let mostReported = 64

    private let life: ApplicationLife
    private let state = Mutex(State())
    /// The host's end of background time may belong to an earlier stay in the background, or there was a warning.
    /// A hint, checked again under the lock: relaxed.
    private let isDated = Atomic(false)
    /// Handlers are called here, one after the other.
    private let warnings = CallbackQueue(isOpen: true)

    init(_ life: ApplicationLife) { self.life = life }

    /// Begins one for the code that called this executable.
    ///
    /// - Parameters:
    ///   - name: its purpose; cut after `OpenAssertion.maximumName` bytes.
    ///   - warn: called at most once, on a thread of the worker's own, when background time is about to end.
    /// - Returns: an id that is never 0, or 0 when background time is over or too many are held.
    func begin(_ name: UnsafePointer<CChar>?, _ warn: (@Sendable () -> Void)?) -> UInt64 {
        let status = life.current
        var began = unsafe AssertionBegan(id: 0, name: name.map(unsafe Self.text) ?? "", frames: Self.callers())
        return state.withLock { state in
            guard state.held.count < ServiceLimits.assertions else { return 0 }
            if !status.isForeground {
                guard status.backgroundEnd.nanoseconds > Clock.monotonic() else { return 0 }
                guard state.warnedFor != status.backgroundEnd else { return 0 }
            }
            state.warnedFor = nil
            state.lastID += 1
            state.held.append(Assertion(id: state.lastID, warn: warn))
            began.id = state.lastID
            // Under the lock: the host receives beginnings and ends in order.
            WorkerProcess.wire.send(began.frame())
            return state.lastID
        }
    }

    /// As much of it as is kept, whole characters only where it is UTF-8.
    private static func text(_ name: UnsafePointer<CChar>) -> String {
        // One more byte shows whether a character continues.
        unsafe beginning(of: name, most: OpenAssertion.maximumName + 1)
    }

    private static func callers() -> [CodePlace] {
        CrashHandler.callers(OpenAssertion.maximumFrames).map { CodePlace(module: $0.module, offset: $0.offset) }
    }

    /// The number of open assertions.
    var held: UInt32 { state.withLock { UInt32($0.held.count) } }

    /// False for an id that is not open, which is reported once.
    func end(_ id: UInt64) -> Bool {
        let (isHeld, known) = state.withLock { state -> (Bool, UInt64?) in
            if let place = state.held.firstIndex(where: { $0.id == id }) {
                state.held.remove(at: place)
                WorkerProcess.wire.send(AssertionEnded(id: id).frame())
                return (true, nil)
            }
            guard id != 0, state.reported.count < Self.mostReported, state.reported.insert(id).inserted else {
                return (false, nil)
            }
            return (false, state.lastID)
        }
        if let known {
            let fault = id <= known ? "it has ended already" : "no assertion has that number"
            WorkerProcess.wire.send(
                SentenceReport(
                    sentence: "assertion \(id) was ended, and \(fault); end each one once, by its own number"
                )
                .frame(.misuse))
        }
        return isHeld
    }

    // MARK: Background time

    /// Background time is about to end: calls the handlers of open assertions, oldest first, each once.
    func expire() {
        let end = life.current.backgroundEnd
        isDated.store(true, ordering: .relaxed)
        let ids = state.withLock { state in
            state.warnedFor = end
            return state.held.map(\.id)
        }
        for id in ids { warnings.add { self.warn(id) } }
    }

    private func warn(_ id: UInt64) {
        let warn = state.withLock { state -> (@Sendable () -> Void)? in
            guard let place = state.held.firstIndex(where: { $0.id == id }) else { return nil }
            defer { state.held[place].warn = nil }
            return state.held[place].warn
        }
        warn?()
    }

    /// The host has sent the end of background time.
    func endWasTold() { isDated.store(true, ordering: .relaxed) }

    /// A run begins: without an earlier assertion, background time restarts after it.
    func runBegins() {
        guard isDated.load(ordering: .relaxed), !life.current.isForeground else { return }
        state.withLock { state in
            guard state.held.isEmpty else { return }
            state.warnedFor = nil
            life.forgetBackgroundEnd()
            isDated.store(false, ordering: .relaxed)
        }
    }

    /// Seconds until background time ends.
    var timeRemaining: Double {
        let status = life.current
        guard !status.isForeground else { return .greatestFiniteMagnitude }
        // It does not count yet: a run is in progress.
        guard status.backgroundEnd < .distantFuture else { return status.backgroundTime.seconds }
        return max(0, (status.backgroundEnd - Instant(nanoseconds: Clock.monotonic())).seconds)
    }
}
