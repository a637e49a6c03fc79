import CTaskHost
import Synchronization
import TaskModel
import Wire

/// What this process knows of its application's state.
final class ApplicationLife: Sendable {
    /// Until the host tells: a worker is launched in the background.
    private let status = Mutex(ApplicationStatus(state: .background))
    private let told = Mutex<ApplicationState?>(nil)

    /// What the host told last.
    var current: ApplicationStatus { status.withLock { $0 } }

    /// Takes what holds while the application is launched. It is told of that state all the same, afterwards.
    func prepare(_ first: ApplicationStatus) { status.withLock { $0 = first } }

    /// Takes what the host tells.
    func set(_ new: ApplicationStatus) { status.withLock { $0 = new } }

    /// The application is told of this state next.
    ///
    /// - Returns: what it was told last; nil: nothing yet.
    func tell(_ state: ApplicationState) -> ApplicationState? {
        told.withLock { told in
            defer { told = state }
            return told
        }
    }

    /// The background time that was told is that of an earlier stay: how long this one lasts is not known.
    func forgetBackgroundEnd() { status.withLock { $0.backgroundEnd = .distantFuture } }
}

extension ApplicationStatus {
    var isForeground: Bool { state == .active || state == .inactive }
}
