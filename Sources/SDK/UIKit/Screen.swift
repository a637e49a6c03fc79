internal import Synchronization
internal import TaskHostRuntime

/// The screen that a worker does not have.
enum Screen {
    private static let isToldOf = Mutex(false)

    /// Notes, once in a process, that what belongs on a screen does nothing.
    static func isMissing(for type: Any.Type) {
        let isFirst = isToldOf.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        guard isFirst else { return }
        Diagnostic.write("\(type) does nothing, and no other part of an interface does: a worker has no screen")
    }
}
