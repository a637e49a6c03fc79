import Record
import TaskModel
import Transferring
import Transfers

// Rows of the record that are set aside.
extension TransferHub {
    /// Says so. What the host has of a transfer it lets go, so that nothing waits for it: its row stays as it is.
    func setAside(_ fault: RowFault) {
        let what = fault.subject == .page ? "the record is damaged" : "a row of the record is set aside"
        announcer.note(.rowSetAside, "", "\(what); \(fault.sentence); see taskhost doctor")
        if case .transfer(let id) = fault.subject { setAside(id) }
    }

    private func setAside(_ id: Int64) {
        guard let handle = handles[id], let record = transfers[handle], let session = sessions[record.session] else {
            return
        }
        if attempts.removeValue(forKey: handle) != nil { process.stop(handle) }
        fresh[handle] = nil
        stopWeighing(for: handle)
        session.questions[handle] = nil
        ask { _ = $0.ended(handle, at: $1) }
        forget(handle, of: session)
    }
}
