import Linux

/// One of logind's inhibitor locks on sleep, held while it is wanted: of the mode `delay`, which delays sleep for a while,
/// or `block`.
final class InhibitorLock {
    /// Why logind refuses it: the name of an error; nil: it has not refused it since it started, or since the last
    /// sleep. It is not asked again before that.
    private(set) var refusal: String?
    private static let busy = "org.freedesktop.login1.OperationInProgress"
    /// Called when `isHeld` or `refusal` has become another.
    var onChange: () -> Void = {}

    private let mode: String
    private let why: String
    private let bus: SystemBus
    private let logind: BusService
    private var lock: Descriptor?
    private var isAsking = false

    init(_ mode: String, why: String, bus: SystemBus, logind: BusService) {
        self.mode = mode
        self.why = why
        self.bus = bus
        self.logind = logind
    }

    var isHeld: Bool { lock.number != nil }

    var isWanted = false {
        didSet { if isWanted != oldValue { settle() } }
    }

    /// logind is gone; its lock and its refusal are void.
    func forget() {
        lock = nil
        isAsking = false
        refusal = nil
    }

    /// Repeats a refused request.
    func retry() {
        refusal = nil
        settle()
    }

    private func settle() {
        guard isWanted else {
            if isHeld {
                lock = nil
                onChange()
            }
            return
        }
        guard !isHeld, !isAsking, refusal == nil, let owner = logind.owner else { return }
        isAsking = bus.call(
            logind, BusServices.logindPath, BusServices.logindInterface, "Inhibit", ["sleep", "taskhost", why, mode]
        ) { [weak self] message in
            // Another logind was asked since then.
            guard let self, owner == logind.owner else { return }
            isAsking = false
            take(message)
        }
    }

    private func take(_ message: BusMessage) {
        // It is no longer wanted; logind takes back a lock whose descriptor is closed.
        guard isWanted else { return }
        if let error = message.errorName {
            // While the machine falls asleep there are none.
            if error != Self.busy { refusal = error }
        } else {
            lock = message.readDescriptor()
        }
        onChange()
    }
}
