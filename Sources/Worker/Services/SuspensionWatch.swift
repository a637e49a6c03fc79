import Synchronization

/// The plugin's function that hears of the ends of suspensions. Thread: any.
// A C function, which needs no protection.
@safe final class SuspensionWatch: @unchecked Sendable {
    private let continues = Mutex<(@convention(c) () -> Void)?>(nil)
    private let calls = CallbackQueue(isOpen: true)

    /// From now on this function is called, and no other. False: there is one.
    func begin(_ function: @escaping @convention(c) () -> Void) -> Bool {
        continues.withLock { continues in
            guard continues == nil else { return false }
            continues = function
            return true
        }
    }

    /// The process was suspended, and continues.
    func ended() {
        guard let continues = continues.withLock({ $0 }) else { return }
        calls.add { continues() }
    }
}
