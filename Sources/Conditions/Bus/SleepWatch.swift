import Glibc
import Linux

/// Hears from logind that the machine is about to sleep, and makes it wait until what runs is safe: an inhibitor lock of
/// mode `delay`, which logind honours for InhibitDelayMaxSec, 5 s unless its administrator says otherwise.
final class SleepWatch {
    /// Told with true before the machine sleeps and with false afterwards.
    var onSleep: ((Bool) -> Void)?
    /// The lock is kept although the machine is about to sleep.
    var delaysSleep = false

    private let bus: SystemBus
    private let logind: BusService
    private var lock: Descriptor?
    private(set) var isSleeping = false
    private var lockIsWanted: Bool { !isSleeping && logind.owner != nil && onSleep != nil }

    init(bus: SystemBus, logind: BusService) {
        self.bus = bus
        self.logind = logind
        bus.onSignal(
            of: logind, path: BusServices.logindPath, interface: BusServices.logindInterface, member: "PrepareForSleep"
        ) { [weak self] message in
            if let isStarting = message.readBool() { self?.prepare(isStarting) }
        }
        logind.onPresence = { [weak self] isPresent in
            guard let self else { return }
            if isPresent {
                takeLock()
            } else {
                lock = nil  // it belongs to the logind that is gone
                prepare(false)
            }
        }
    }

    private func prepare(_ isStarting: Bool) {
        guard isStarting != isSleeping else { return }
        isSleeping = isStarting
        if !isStarting { delaysSleep = false }
        onSleep?(isStarting)
        if !isStarting { takeLock() }
    }

    /// Lets the machine sleep if it is about to: what led to it is on disk.
    func releaseIfSafe() {
        if isSleeping && !delaysSleep { lock = nil }
    }

    private func takeLock() {
        guard lockIsWanted, lock.number == nil else { return }
        let owner = logind.owner
        bus.call(
            logind, BusServices.logindPath, BusServices.logindInterface, "Inhibit",
            ["sleep", "taskhost", "Background tasks are brought to an end", "delay"]
        ) { [weak self] message in
            // Refused, or no lock: the machine sleeps without waiting for us.
            guard let self, message.errorName == nil, let number = message.readDescriptor() else { return }
            guard lockIsWanted, owner == logind.owner, lock.number == nil else { return }
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
            if copy >= 0 { lock = Descriptor(adopting: copy) }
        }
    }

    func close() {
        onSleep = nil
        lock = nil
    }
}
