package import TaskModel

/// What the scheduler decided. The host first stores what must be remembered, then acts, as with the engine's actions.
package enum Decision: Sendable, BitwiseCopyable, Equatable {
    /// Store the request as it stands now: new, replaced, or waiting for another attempt.
    case remember(RequestHandle)
    /// It is no more: remove it from the store. `identity` and `submitted` name the row; the handle is free afterwards.
    case forget(identity: Int64, submitted: Timestamp)
    /// Make a run of it now. It stays in the store, marked as running, until `forget` or `remember`.
    /// `launch` is the same for requests that are delivered in one launch of their application; they share its deadline.
    case start(RequestHandle, launch: UInt32)
    /// Its run has lost a condition, or the user cancelled it.
    case expire(RequestHandle, Reason)
    /// Kill the application's worker (the application was removed from the switcher).
    case terminate(application: ApplicationIndex, Reason)
    /// Store what is remembered of the application.
    case rememberApplication(ApplicationIndex)
    /// Something a person should find in the journal; the host writes the words.
    case quarantined(application: ApplicationIndex, until: Timestamp)
    /// The same: what its launches lack has lasted for so many tries that they are made once an hour now.
    case starved(RequestHandle)
}
