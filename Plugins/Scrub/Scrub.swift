public import CTaskHost

/// The handler of `org.taskhost.examples.scrub`: reads every file of a folder and tells which ones rotted.
///
/// A file has rotted when its content changed although its size and its modification time did not: nobody wrote it, the
/// disk did. Each run goes on where the one before stopped, so a folder of any size gets through, however short the
/// budget.
///
/// *Thread*: works on the thread that calls it, until the work is done or the run expires. It watches for expiration by
/// asking `should_stop`, which costs next to nothing; so there is no expiration handler, and no state that two threads
/// would share.
/// *Settings*: see ``Settings``.
@c(scrub)
public func scrub(_ task: UnsafeMutablePointer<taskhost_task_t>) {
    let run = Run(task)
    do throws(Failure) {
        var scrubber = try Scrubber(run)
        try scrubber.work()
    } catch {
        run.log(TASKHOST_LOG_ERROR, error.message)
        run.complete(false)
    }
}
