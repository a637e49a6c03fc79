/// Gives `Progress` the observation that it has on iOS.
public protocol ProgressObserving {}

extension Progress: ProgressObserving {}

extension ProgressObserving where Self: Progress {
    /// Calls a closure when a value has changed, on the thread that has changed it, and after the change: when counts, a child at
    /// any depth, cancelling, pausing or `userInfo` have made it another one. Assigning what it has already is no change.
    ///
    /// Nothing is looked at in between. A value that cannot be compared, such as `userInfo`, counts as changed each time that
    /// something of the progress has.
    ///
    /// - Parameters:
    ///   - keyPath: what to observe. `kind` and the handlers for cancelling and pausing change without a call.
    ///   - options: what the closure is told; without `new`, read the value from the progress.
    ///   - changeHandler: the progress and the change. It may change and observe the same progress.
    /// - Returns: the observation. The closure is called, and kept, as long as it exists and is not invalidated.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = KeyPathObserver(keyPath, of: self, options, changeHandler)
        let observation = NSKeyValueObservation(observer)
        observer.start(self)
        return observation
    }
}

extension NSObjectProtocol where Self: NSObject {
    /// Key-value observing needs Objective-C. `Progress` alone can be observed here.
    @available(*, unavailable, message: "on Linux only a Progress can be observed: there is no Objective-C")
    @_disfavoredOverload
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        preconditionFailure("the compiler refuses calls")
    }
}
