/// An object that a view, a scene or the application keeps. It is made when it is first used; the application's own and those
/// of its scenes at launch, and when they change, the scenes are evaluated again.
@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    private let kept: ObjectStorage<ObjectType>

    /// - Parameter thunk: makes the object.
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
        kept = ObjectStorage(thunk)
    }

    /// The object.
    public var wrappedValue: ObjectType { kept.object }

    /// Makes bindings to the object's properties.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(kept.object) }
}

extension StateObject: StoredProperty {
    nonisolated var storage: any Storage { kept }
}

/// An object that is announced by its publisher.
final class ObjectStorage<Object: ObservableObject>: Storage, @unchecked Sendable {  // guarded by the lock
    // The object's own initializer may come back here.
    private let lock = NSRecursiveLock()
    private let make: () -> Object
    private var made: Object?
    private var root: ObjectStorage<Object>?
    private var watching: AnyCancellable?

    init(_ make: @escaping () -> Object) { self.make = make }

    private var used: ObjectStorage<Object> { lock.withLock { root } ?? self }

    var object: Object {
        let used = used
        used.lock.lock()
        defer { used.lock.unlock() }
        if let made = used.made { return made }
        let new = used.make()
        used.made = new
        return new
    }

    func follow(_ earlier: any Storage) {
        guard let earlier = earlier as? ObjectStorage<Object> else { return }
        let new = earlier.used
        guard new !== self else { return }
        lock.withLock { root = new }
    }

    func watch(_ changed: @escaping @Sendable () -> Void) {
        let used = used
        let object = object
        used.lock.withLock {
            guard used.watching == nil else { return }
            used.watching = object.objectWillChange.sink { _ in changed() }
        }
    }
}
