package import TaskModel

/// A decision of the scheduler. The host first stores the changes, then acts, as with the engine's actions.
package enum Decision: Sendable, BitwiseCopyable, Equatable {
    /// Store the present request: new, replaced, or waiting for another attempt.
    case remember(RequestHandle)
    /// It has ended: remove it from the store. `identity` and `submitted` name the row; the handle is free afterwards.
    case forget(identity: Int64, submitted: Timestamp)
    /// Make a run of it now. It stays in the store, marked as running, until `forget` or `remember`.
    /// `launch` is the same for requests that are delivered in one launch of their application; they share its deadline.
    case start(RequestHandle, launch: UInt32)
    /// Its run has lost a condition, or the user cancelled it.
    case expire(RequestHandle, Reason)
    /// Kill the application's worker (the application was removed from the switcher).
    case terminate(application: ApplicationIndex, Reason)
    /// Store the application's state.
    case rememberApplication(ApplicationIndex)
    /// An event for the journal; the host writes the text.
    case quarantined(application: ApplicationIndex, until: Timestamp)
    /// The end of a pause has come: the record forgets it.
    case pauseEnded(PausedPart)
    /// The same: its launches have failed so often that they are tried once an hour from now on.
    case starved(RequestHandle)
}
