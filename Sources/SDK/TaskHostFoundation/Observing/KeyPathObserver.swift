/// Who is told of changes of a progress.
protocol ProgressObserver: AnyObject, Sendable {
    /// Something of the progress has changed, on this thread.
    func look(at progress: Progress)
    /// Tells nothing from now on.
    func stop()
}

/// One observation of a value.
final class KeyPathObserver<Object: Progress, Value>: ProgressObserver, @unchecked Sendable {  // guarded by `lock`
    typealias Handler = @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void

    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let isEqual: ((Value, Value) -> Bool)?
    private let object: ObjectIdentifier
    /// Held while a value is read and compared, and never while the handler is called: values come in the order in which they
    /// were. An application's own getter may change the progress.
    private let lock = NSRecursiveLock()
    /// nil: it has ended.
    private var handler: Handler?
    private var last: Value?

    init(
        _ keyPath: KeyPath<Object, Value>, of progress: Object, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping Handler
    ) {
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        object = ObjectIdentifier(progress)
        isEqual = (Value.self as? any Equatable.Type).flatMap { Self.comparison($0) }
    }

    /// From now on; with the option `initial` calls the handler.
    func start(_ progress: Object) {
        let value = lock.withLock {
            ObservedProgresses.add(self, to: progress)
            let value = progress[keyPath: keyPath]
            last = value
            return value
        }
        guard options.contains(.initial), let handler = lock.withLock({ self.handler }) else { return }
        handler(progress, NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: nil))
    }

    func look(at progress: Progress) {
        guard let progress = progress as? Object else { return }
        let found = lock.withLock { () -> (handler: Handler, old: Value?, new: Value)? in
            guard let handler else { return nil }
            let new = progress[keyPath: keyPath]
            let old = last
            if let old, let isEqual, isEqual(old, new) { return nil }
            last = new
            return (handler, old, new)
        }
        guard let found else { return }
        let change = NSKeyValueObservedChange(
            newValue: options.contains(.new) ? found.new : nil, oldValue: options.contains(.old) ? found.old : nil)
        found.handler(progress, change)
    }

    func stop() {
        // Outside of the lock: what its closure captured may do anything when it goes.
        let old = lock.withLock {
            defer { handler = nil }
            return handler
        }
        withExtendedLifetime(old) { ObservedProgresses.remove(self, from: object) }
    }

    private static func comparison<Known: Equatable>(_ type: Known.Type) -> ((Value, Value) -> Bool)? {
        { first, second in first as? Known == second as? Known }
    }
}
