/// What a task's `onFailure` answers (`when`): the end of a run.
package enum FailureTrigger: UInt8, NamedCases, Sendable, BitwiseCopyable {
    /// It failed, and no further try follows.
    case failed = 1
    /// It was unlike the usual ones of its task (`UsualRuns`).
    case unlikeItself = 2
    /// It succeeded, and wrote to standard error.
    case wroteErrors = 3
}
