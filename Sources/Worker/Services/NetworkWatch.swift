import CTaskHost
import Synchronization
import TaskModel
import Wire

/// The plugin's function that hears of the machine's network. Thread: any.
// A C function, which needs no protection.
@safe final class NetworkWatch: @unchecked Sendable {
    private let changed = Mutex<(@convention(c) (UInt32) -> Void)?>(nil)
    private let calls = CallbackQueue(isOpen: true)

    /// Asks the host, for this function and no other. False: there is one.
    func begin(_ function: @escaping @convention(c) (UInt32) -> Void) -> Bool {
        let isFirst = changed.withLock { changed in
            guard changed == nil else { return false }
            changed = function
            return true
        }
        if isFirst { WorkerProcess.wire.send(.watchNetwork, run: RunHandle(index: 0, generation: 0)) }
        return isFirst
    }

    /// The host's news.
    func take(_ access: NetworkAccess) {
        guard let changed = changed.withLock({ $0 }) else { return }
        calls.add { changed(UInt32(access.rawValue)) }
    }
}
