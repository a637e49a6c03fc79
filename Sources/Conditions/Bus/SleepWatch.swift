import Linux
import TaskModel

/// Receives logind's signal that the machine is about to sleep, and delays sleep until runs are suspended, with a lock of
/// the mode `delay`. The lock is held all the time, which costs one call a sleep, and none when sleep begins. Also keeps the
/// machine awake with a lock of the mode `block`, while that is wanted.
///
/// logind waits for InhibitDelayMaxSec, 5 s by default. The lock is released before that time is over in any case.
final class SleepWatch: EventSource {
    /// The most time for applications, and the part of logind's delay that is reserved for suspending them and for the
    /// record.
    private static let longest = TimeSpan.seconds(5)
    private static let reserve = TimeSpan.milliseconds(500)
    /// logind's own default.
    private static let patience = TimeSpan.seconds(5)

    private let bus: SystemBus
    private let logind: BusService
    private let changed: ChangeFlag
    private let delay: InhibitorLock
    private let block: InhibitorLock
    private var isSleeping = false
    /// Until when sleep waits for applications; when the lock goes back in any case.
    private(set) var waitsUntil = Instant(nanoseconds: 0)
    private var giveBack = Instant.distantFuture

    /// Sleep has to be delayed.
    var delaysSleep = false {
        didSet { settle() }
    }
    /// The machine has to stay awake.
    var blocksSleep = false {
        didSet { settle() }
    }

    init(bus: SystemBus, logind: BusService, changed: ChangeFlag) {
        self.bus = bus
        self.logind = logind
        self.changed = changed
        delay = InhibitorLock("delay", why: "Background tasks are brought to a stop", bus: bus, logind: logind)
        block = InhibitorLock("block", why: "Background tasks run", bus: bus, logind: logind)
        for lock in [delay, block] { lock.onChange = { changed.raise() } }
        bus.onSignal(
            of: logind, path: BusServices.logindPath, interface: BusServices.logindInterface, member: "PrepareForSleep"
        ) { [weak self] message in
            guard let self, let isStarting = message.readBool() else { return }
            prepare(isStarting)
            if !isStarting { askAgain() }
        }
        logind.onPresence = { [weak self] isPresent in
            guard let self else { return }
            if isPresent { return askAgain() }
            // logind ended without announcing the end of sleep, and its locks are gone.
            delay.forget()
            block.forget()
            prepare(false)
        }
    }

    private func prepare(_ isStarting: Bool) {
        guard isStarting != isSleeping else { return }
        isSleeping = isStarting
        changed.raise()
        if isStarting {
            let now = bus.now.instant
            let patience = delay.isHeld ? patience : .zero
            waitsUntil = now + max(.zero, min(Self.longest, patience - Self.reserve))
            let margin = TimeSpan.milliseconds(100)
            giveBack = now + max(.zero, min(patience - margin, waitsUntil - now + Self.reserve - margin))
        }
        settle()
    }

    private func askAgain() {
        delay.retry()
        block.retry()
    }

    /// All applications are suspended and that is recorded: the machine may sleep.
    func allowSleep() { if isSleeping { delay.isWanted = false } }

    private func settle() {
        if isSleeping {
            // A new request would come too late.
            if !delay.isHeld { delay.isWanted = false }
        } else {
            delay.isWanted = delaysSleep
        }
        block.isWanted = blocksSleep && !isSleeping
    }

    private var patience: TimeSpan {
        guard case .count(let microseconds) = logind.values[1] else { return Self.patience }
        let (nanoseconds, overflow) = Int64(clamping: microseconds).multipliedReportingOverflow(by: 1000)
        return TimeSpan(nanoseconds: overflow ? .max : nanoseconds)
    }

    /// The state of sleep, for conditions and users.
    var found: SleepFinding {
        var found = SleepFinding()
        found.isAsleep = isSleeping
        found.isDelayed = delaysSleep
        found.isHeld = delay.isHeld
        found.patience = patience
        found.delayRefusal = delay.refusal
        found.blockRefusal = block.refusal
        found.isBlocked = block.isHeld
        return found
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) {}
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
    var nextDeadline: Instant { isSleeping && delay.isHeld ? giveBack : .distantFuture }
    func advance(to now: ClockReading) { if nextDeadline <= now.instant { delay.isWanted = false } }

    func close() {
        delaysSleep = false
        blocksSleep = false
        delay.isWanted = false
    }
}
