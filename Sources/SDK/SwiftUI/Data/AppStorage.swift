/// A value of the user defaults. Reads and writes them, in any view, scene or other object; when one of the application's
/// or of a scene's changes, the scenes are evaluated again.
@propertyWrapper public struct AppStorage<Value>: DynamicProperty {
    private let slot: DefaultsSlot<Value>

    init(
        _ key: String, _ store: UserDefaults?, _ first: Value, read: @escaping (UserDefaults, String) -> Value?,
        write: @escaping (UserDefaults, String, Value) -> Void
    ) {
        slot = DefaultsSlot(key: key, store: store ?? .standard, first: first, read: read, write: write)
    }

    /// The value; the one of its declaration while the defaults have none, or one of another type.
    public var wrappedValue: Value {
        get { slot.value }
        nonmutating set { slot.value = newValue }
    }

    /// Reads and changes the value.
    public var projectedValue: Binding<Value> { Binding(get: { slot.value }, set: { slot.value = $0 }) }
}

extension AppStorage: @unchecked Sendable where Value: Sendable {}

extension AppStorage: StoredProperty {
    var storage: any Storage { slot }
}

/// A value of a key.
final class DefaultsSlot<Value>: Storage {
    private let key: String
    private let store: UserDefaults
    private let first: Value
    private let read: (UserDefaults, String) -> Value?
    private let write: (UserDefaults, String, Value) -> Void
    /// Kept by the one that an application's property first had.
    private var watching: DefaultsWatch?

    init(
        key: String, store: UserDefaults, first: Value, read: @escaping (UserDefaults, String) -> Value?,
        write: @escaping (UserDefaults, String, Value) -> Void
    ) {
        self.key = key
        self.store = store
        self.first = first
        self.read = read
        self.write = write
    }

    var value: Value {
        get { read(store, key) ?? first }
        set { write(store, key, newValue) }
    }

    func follow(_ earlier: any Storage) {}

    func watch(_ changed: @escaping @Sendable () -> Void) {
        guard watching == nil else { return }
        watching = DefaultsWatch(store, key, changed)
    }
}

/// Observes a key of the defaults while it exists. They announce the changes of all keys.
private final class DefaultsWatch: @unchecked Sendable {  // guarded by the lock
    private let store: UserDefaults
    private let key: String
    private let changed: @Sendable () -> Void
    private let lock = NSLock()
    private var seen: AnyHashable?
    private var token: (any NSObjectProtocol)?

    init(_ store: UserDefaults, _ key: String, _ changed: @escaping @Sendable () -> Void) {
        (self.store, self.key, self.changed) = (store, key, changed)
        seen = store.object(forKey: key) as? AnyHashable
        token = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: store, queue: nil
        ) { [weak self] _ in self?.look() }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    private func look() {
        let new = store.object(forKey: key) as? AnyHashable
        let isNew = lock.withLock {
            defer { seen = new }
            return seen != new
        }
        if isNew { changed() }
    }
}
