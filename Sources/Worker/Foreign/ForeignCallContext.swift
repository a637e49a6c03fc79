/// What a foreign function needs from its run.
///
/// *Thread*: every member is called on the handler's thread and, from inside callbacks, on any other.
package protocol ForeignCallContext: AnyObject, Sendable {
    /// The run's payload, unchanged while the context lives. A NUL byte follows its end, outside its count.
    var payload: UnsafeRawBufferPointer { get }

    /// True once the run has expired.
    func shouldStop() -> Bool

    /// Completes the run; only the first call counts.
    func complete(success: Bool)

    /// Seconds until the budget ends, never negative.
    func timeRemaining() -> Double
}
