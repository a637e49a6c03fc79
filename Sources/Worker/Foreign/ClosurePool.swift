import Synchronization
import TaskModel

/// The function pointers of one callback argument, used again from run to run.
final class ClosurePool: Sendable {
    /// A returned closure is reused only when this many others were returned after it: a late call, from a thread that
    /// outlived its run, then reaches a closure without a run rather than freed memory or another run.
    static let quarantine = 64

    private let callback: Callback
    private let interface: CallInterface
    /// Oldest first.
    private let returned: Mutex<[ForeignClosure]>

    /// Creates a first closure, so that a machine that forbids them is detected before any run.
    init(_ callback: Callback, _ signature: Signature) throws(ForeignCallError) {
        self.callback = callback
        interface = try CallInterface(signature)
        returned = Mutex([try ForeignClosure(callback, interface)])
    }

    func take() throws(ForeignCallError) -> ForeignClosure {
        let waiting = returned.withLock { $0.count > Self.quarantine ? $0.removeFirst() : nil }
        return if let waiting { waiting } else { try ForeignClosure(callback, interface) }
    }

    func giveBack(_ closure: ForeignClosure) { returned.withLock { $0.append(closure) } }
}
