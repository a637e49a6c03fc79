package import TaskModel

/// What came of one call of a foreign function.
package struct ForeignResult: Sendable {
    /// The function's result; nil for void.
    package var value: ResultValue?
    /// The text of a function that gives one, copied: at most `TransferLimit.headers` bytes. nil: it gave none, an empty one, or a
    /// longer one.
    package var text: String?
    /// The success rule's result for `value`. Meaningless for a function that completes by a callback.
    package var success: Bool
    /// The function pointers that the call was given, nil when there were none. *Ownership*: keep them as long as the
    /// library may still call them, which with a `complete` callback is until the run ends.
    package var callbacks: ForeignCallbacks?
}
