import Linux
import Synchronization

/// The threads that read the wire and run handlers.
///
/// The thread that receives a frame acts on it: handing a run to another thread would cost a wake-up of 15 to 50 us. One
/// other thread, the follower, sleeps on a timer. When the leader has been busy with one frame for a whole tick, the follower
/// takes over the wire (so that an expiration or another run gets through) and a new follower takes its place. The timer is
/// armed at most once a tick, and not at all while the worker is idle, but once where memory is scarce: a frugal team gives up the text that
/// the worker's launch has mapped, when no frame has come for a while. Each page fault has mapped 64 KiB around it, and what waits for a
/// frame needs little of that.
// A buffer is lent to `receive` and `act` for the time of their call, by the thread that made it.
@safe final class ThreadTeam: Sendable {
    /// How long a frame may occupy the leader before another thread reads the wire.
    private static let tick: Int64 = 1_000_000
    /// After how long without a frame a frugal team gives up its text.
    private static let rest: Int64 = 100_000_000
    /// Threads that are kept for later; more end.
    private static let mostSpares = 4

    private struct State {
        /// Number of the thread that reads the wire.
        var leader: UInt32 = 0
        /// Which one that is; nil before the first.
        var leaderThread: ThreadIdentity?
        var isBusy = false
        /// The leader is about to wait for an answer of the host: the follower takes over without waiting for a tick.
        var isWaiting = false
        /// Counts frames, so that the follower sees whether the leader is still at the same one.
        var frame: UInt64 = 0
        /// For a tick: not while the timer runs until the team rests.
        var isArmed = false
        var threads: UInt32 = 0
        var spares = 0
        /// Frames that are acted on in the order in which they came, and whether a thread does that at present.
        var ordered: [[UInt8]] = []
        var isInOrder = false
        /// No thread could be started: no thread takes over from a busy leader.
        var lacksFollower = false
        /// The text of the launch has been given up, or is kept.
        var hasRested: Bool
    }
    /// What a follower does that has woken up.
    private enum Wake { case sleep, rest, tick, lead }
    private let state: Mutex<State>
    /// Made when the first thread takes the lead: a descriptor of the worker, not of the process it was forked from.
    private let timer = AtomicLazyReference<Countdown>()
    /// Decides who starts it, and publishes nothing: relaxed.
    private let hasStarted = Atomic(false)
    /// Wakes one spare as follower.
    private let wake = Futex()
    private let act: @Sendable (_ frame: UnsafeRawBufferPointer) -> Void
    private let hasOrder: @Sendable (_ frame: UnsafeRawBufferPointer) -> Bool
    private let receive: @Sendable (_ buffer: UnsafeMutableRawBufferPointer) -> Int
    private let bufferSize: Int
    private let start: @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    /// - Parameters:
    ///   - bufferSize: room that a thread gives to `receive`.
    ///   - receive: waits for the next frame and returns its length; never returns when there is none any more.
    ///   - hasOrder: the frame is one of those that must be acted on one after the other, as they came, even if a thread is kept
    ///     from working in between and another one reads the wire. Acting on them waits for nothing.
    ///   - act: carries out the frame.
    ///   - isFrugal: memory is scarce on this machine. Call `ProgramText.note` before it leads.
    ///   - start: starts a thread; false when there can be none.
    init(
        bufferSize: Int, receive: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int,
        hasOrder: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool = { _ in false },
        act: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        isFrugal: Bool = false,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = DetachedThread.start
    ) {
        self.start = start
        state = Mutex(State(hasRested: !isFrugal))
        self.bufferSize = bufferSize
        unsafe self.receive = receive
        unsafe self.hasOrder = hasOrder
        unsafe self.act = act
    }

    /// Makes the calling thread the leader. Never returns.
    func lead() -> Never {
        guard let timer = try? Countdown() else { ThisProcess.exitAtOnce(WorkerExitStatus.refused) }
        _ = self.timer.storeIfNil(timer)
        addFollower()
        let me = state.withLock { state in
            state.threads += 1
            state.leader = state.threads
            state.leaderThread = .current
            return state.threads
        }
        readWire(as: me)
        while true {
            waitAsSpare()
            follow(as: me)
        }
    }

    /// Runs the leader's part on a separate thread, unless a thread does already: for an application, which keeps the
    /// main thread.
    ///
    /// - Returns: false when no thread could be started.
    func leadElsewhere() -> Bool {
        guard !hasStarted.exchange(true, ordering: .relaxed) else { return true }
        let isStarted = start {
            // For ever: it leads, and is kept.
            CrashHandler.withStack { self.lead() }
        }
        if isStarted { return true }
        hasStarted.store(false, ordering: .relaxed)
        return false
    }

    /// Call this before waiting for a frame: when the calling thread leads, the follower takes over at once. The follower
    /// sleeps on the timer, which wakes it.
    func handOver() {
        let mustWake = state.withLock { state in
            guard state.isBusy, !state.isWaiting, state.leaderThread == .current else { return false }
            state.isWaiting = true
            state.isArmed = true
            return true
        }
        if mustWake { timer.load()?.arm(1) }
    }

    private func addFollower() {
        let woke = state.withLock { state in
            guard state.spares > 0 else { return false }
            state.spares -= 1
            wake.advance()
            return true
        }
        if woke {
            wake.wakeOne()
            return
        }
        let hasStarted = start {
            CrashHandler.withStack {
                let me = self.state.withLock { state in
                    state.threads += 1
                    return state.threads
                }
                while true {
                    self.follow(as: me)
                    guard self.state.withLock({ $0.spares < Self.mostSpares }) else { return }
                    self.waitAsSpare()
                }
            }
        }
        state.withLock { $0.lacksFollower = !hasStarted }
    }

    /// Sleeps until a follower is needed. A spare that misses the word's change finds it changed (futex(2)).
    private func waitAsSpare() {
        let seen = state.withLock { state in
            state.spares += 1
            return wake.value
        }
        while wake.value == seen { wake.wait(while: seen) }
    }

    /// Sleeps on the timer until the leader is stuck, then leads. Returns when it has lost the lead again.
    private func follow(as me: UInt32) {
        var lastFrame: UInt64?
        var rests = false
        while true {
            guard (rests ? timer.load()?.waitWithoutText() : timer.load()?.wait()) == true else {
                // The plugin has closed a descriptor of the worker: its runs could no longer be warned.
                ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
            }
            let wake = state.withLock { state -> Wake in
                guard state.isBusy else {
                    lastFrame = nil
                    return sleepOn(&state)
                }
                guard state.isWaiting || state.frame == lastFrame else {
                    lastFrame = state.frame
                    return .tick
                }
                state.leader = me
                state.leaderThread = .current
                state.isBusy = false
                state.isWaiting = false
                _ = sleepOn(&state)
                return .lead
            }
            rests = wake == .rest
            switch wake {
            case .sleep, .rest: break
            case .tick: timer.load()?.arm(Self.tick)
            case .lead:
                addFollower()
                readWire(as: me)
                return
            }
        }
    }

    /// No tick is needed before the next frame, for which the leader arms the timer anew: after it has locked the state, and so after
    /// this. A frugal team arms it for its rest first, and rests when that time is over.
    private func sleepOn(_ state: inout State) -> Wake {
        defer { state.isArmed = false }
        guard !state.hasRested else { return .sleep }
        if state.isArmed {
            timer.load()?.arm(Self.rest)
            return .sleep
        }
        state.hasRested = true
        return .rest
    }

    /// Acts on the frames that have an order, unless another thread is at it, which takes this thread's as well.
    private func actInOrder() {
        guard
            state.withLock({ state in
                defer { state.isInOrder = true }
                return !state.isInOrder
            })
        else { return }
        while let frame = state.withLock({ state -> [UInt8]? in
            state.isInOrder = !state.ordered.isEmpty
            return state.isInOrder ? state.ordered.removeFirst() : nil
        }) {
            unsafe frame.withUnsafeBytes(act)
        }
    }

    /// Reads and acts until another thread has taken the lead.
    private func readWire(as me: UInt32) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            let frame = unsafe UnsafeRawBufferPointer(rebasing: buffer[0..<receive(buffer)])
            let hasOrder = unsafe hasOrder(frame)
            let (arm, lacksFollower) = state.withLock { state in
                state.isBusy = true
                state.frame &+= 1
                // Before another thread can read the next one.
                if hasOrder { unsafe state.ordered.append(Array(frame)) }
                defer { state.isArmed = true }
                return (!state.isArmed, state.lacksFollower)
            }
            // The plugin's threads and processes may have been too many then, and fewer now.
            if lacksFollower { addFollower() }
            if arm { timer.load()?.arm(Self.tick) }
            if hasOrder { actInOrder() } else { unsafe act(frame) }
            let leads = state.withLock { state in
                guard state.leader == me else { return false }
                state.isBusy = false
                state.isWaiting = false
                return true
            }
            if !leads { return }
        }
    }
}
