public import BackgroundTasks
internal import TaskHostRuntime

extension BGTask {
    /// The text of a file that the manifest's `secrets` name, as it was when the run started; nil when the task has none of
    /// that name, and outside of a run.
    ///
    /// It is in no environment, record or log. Keep it no longer than the run needs it.
    public func secret(_ name: String) -> Data? { work?.run.secret(name).map { Data($0) } }
}
