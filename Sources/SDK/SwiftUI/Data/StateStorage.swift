/// The value of a property wrapper, shared by its copies.
final class StateStorage<Value>: Storage, @unchecked Sendable {  // guarded by the lock
    private let lock = NSLock()
    private var stored: Value
    /// The one whose value is used instead.
    private var root: StateStorage<Value>?
    private var changed: (@Sendable () -> Void)?

    init(_ value: Value) { stored = value }

    private var used: StateStorage<Value> { lock.withLock { root } ?? self }

    var value: Value {
        get {
            let used = used
            return used.lock.withLock { used.stored }
        }
        set {
            let used = used
            // What the old value refers to is released outside of the lock.
            let (old, changed) = used.lock.withLock {
                defer { used.stored = newValue }
                return (used.stored, used.changed)
            }
            withExtendedLifetime(old) {}
            changed?()
        }
    }

    func follow(_ earlier: any Storage) {
        guard let earlier = earlier as? StateStorage<Value>, earlier !== self else { return }
        let new = earlier.used
        guard new !== self else { return }
        lock.withLock { root = new }
    }

    func watch(_ changed: @escaping @Sendable () -> Void) {
        let used = used
        used.lock.withLock { used.changed = used.changed ?? changed }
    }
}
