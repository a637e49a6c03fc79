/// An observation, which lasts until `invalidate()` is called, or this object is released. It does not keep what it observes.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let observer: any ProgressObserver

    init(_ observer: any ProgressObserver) { self.observer = observer }

    deinit { observer.stop() }

    /// Ends the observation: no call of the handler begins after this has returned. Further calls do nothing. Any thread, also
    /// the handler itself.
    public func invalidate() { observer.stop() }
}
