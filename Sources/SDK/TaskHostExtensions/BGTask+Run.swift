public import BackgroundTasks
internal import CTaskHost
internal import TaskHostRuntime

/// taskhost's data about a run that iOS does not have.
extension BGTask {
    /// Why the run expired; nil while it has not.
    public var expirationReason: ExpirationReason? {
        guard let run = work?.run else { return nil }
        let reason = run.expirationReason
        guard reason != TASKHOST_REASON_NONE else { return nil }
        return ExpirationReason(rawValue: reason) ?? .budget
    }

    /// The seconds until the budget ends.
    public var timeRemaining: TimeInterval { work?.run.timeRemaining ?? .greatestFiniteMagnitude }

    /// The run's id.
    public var runIdentifier: String { unsafe text(\.run) }
    /// 1 for the first try.
    public var attempt: Int { work.map { unsafe Int($0.run.task.pointee.attempt) } ?? 1 }
    /// The manifest's `settings`, or the caller's override: JSON.
    public var settings: Data { unsafe data(\.settings) }
    /// The caller's payload.
    public var payload: Data { unsafe data(\.payload) }
    /// The application's folder for persistent files.
    public var stateDirectory: URL { unsafe URL(filePath: text(\.state_directory)) }
    /// The application's folder for files that it can recreate.
    public var cacheDirectory: URL { unsafe URL(filePath: text(\.cache_directory)) }
    /// The folder of the application's manifest.
    public var manifestDirectory: URL { unsafe URL(filePath: text(\.manifest_directory)) }

    /// Reports progress to watchers. For tasks of every kind; those of continued processing have `progress`.
    public func showProgress(completed: Int64, of total: Int64, text: String? = nil) {
        work?.run.report(completed: completed, of: total, text: text)
    }

    private func text(_ member: KeyPath<taskhost_task_t, taskhost_bytes_t>) -> String {
        unsafe String(decoding: data(member), as: UTF8.self)
    }

    private func data(_ member: KeyPath<taskhost_task_t, taskhost_bytes_t>) -> Data {
        guard let bytes = unsafe work?.run.task.pointee[keyPath: member], let start = unsafe bytes.bytes else {
            return Data()
        }
        return unsafe Data(bytes: start, count: Int(bytes.length))
    }
}
