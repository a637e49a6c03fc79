import CTaskHost
import Synchronization
import TaskModel
import Wire

/// This process's copy of its application's state.
final class ApplicationLife: Sendable {
    /// Until the host sends it: a worker is launched in the background.
    private let status = Mutex(ApplicationStatus(state: .background))
    private let told = Mutex<ApplicationState?>(nil)

    /// The host's last status.
    var current: ApplicationStatus { status.withLock { $0 } }

    /// Sets the state during the launch. The application is called for that state afterwards.
    func prepare(_ first: ApplicationStatus) { status.withLock { $0 = first } }

    /// Sets the host's new status.
    func set(_ new: ApplicationStatus) { status.withLock { $0 = new } }

    /// The application is called for this state next.
    ///
    /// - Returns: the last state it was called for; nil: none.
    func tell(_ state: ApplicationState) -> ApplicationState? {
        told.withLock { told in
            defer { told = state }
            return told
        }
    }

    /// The end of background time is that of an earlier stay in the background: the present one is unknown.
    func forgetBackgroundEnd() { status.withLock { $0.backgroundEnd = .distantFuture } }
}

extension ApplicationStatus {
    var isForeground: Bool { state == .active || state == .inactive }
}
