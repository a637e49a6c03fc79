package import Linux
package import TaskModel
import Wire

/// The parent of a worker without a control group: what the worker starts, and what is orphaned there, cannot leave it, for it
/// is the nearest subreaper (PR_SET_CHILD_SUBREAPER(2const)). It reaps, reports the worker's end to the zygote, and ends with the
/// last process of the tree. When the zygote has ended it ends the tree first.
///
/// *Thread*: for a process with one thread, a copy of the zygote.
package struct Keeper: ~Copyable {
    /// Where descriptors are once `keep` has begun.
    private static let lifeline: Int32 = 3
    private static let signals: Int32 = 4

    private let worker: Int32
    private let callID: RunHandle

    private init(worker: Int32, callID: RunHandle) {
        self.worker = worker
        self.callID = callID
    }

    /// Keeps the worker, a child of this process, which is its subreaper, until its tree has ended, and ends the process then. Not
    /// `Never`: the compiler closes what nothing uses after a call that does not return, which the lent descriptors are.
    ///
    /// - Parameters:
    ///   - lifeline: takes the report, and is at its end when the zygote is.
    ///   - signals: of SIGCHLD. All descriptors but these two are closed.
    ///   - null: `/dev/null`, for the descriptors that a process should have.
    package static func keep(
        worker: Int32, callID: RunHandle, lifeline: borrowing Descriptor, signals: borrowing SignalQueue,
        null: Int32
    ) {
        let layout = [null, null, null, lifeline.number, signals.descriptor.number]
        guard (try? Sandbox.arrange(layout)) != nil else { ThisProcess.exitAtOnce(WorkerExitStatus.refused) }
        Keeper(worker: worker, callID: callID).watch()
        ThisProcess.exitAtOnce(WorkerExitStatus.asked)
    }

    private func watch() {
        repeat {
            let ready = Descriptor.ready([Self.lifeline, Self.signals]) ?? []
            if ready.contains(Self.signals) { reap() }
            if ready.contains(Self.lifeline) { return endTree() }
        } while ProcessEnd.hasChildren
    }

    /// The report comes last: then what ended together with the worker is gone.
    private func reap() {
        SignalQueue.clear(Self.signals)
        var report: ExitReport?
        while let end = ProcessEnd.reapNext() {
            if end.pid == worker { report = ExitReport(end) }
        }
        // The zygote's end shows at the lifeline.
        if let report { _ = MessageSocket(lent: Self.lifeline).send(report.frame(callID: callID)) }
    }

    private func endTree() {
        ProcessHandle.signal(group: worker, .SIGKILL)
        TreeEnd.endDescendants(signals: Self.signals)
    }
}
