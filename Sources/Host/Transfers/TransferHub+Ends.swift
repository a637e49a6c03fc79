import Linux
import Record
package import TaskModel
import Transferring
import Transfers
import Wire

// Ends of transfers: decided, recorded, and their files delivered.
extension TransferHub {
    /// The policy ends a transfer: it was cancelled, or has had its time. An attempt is stopped first.
    func decidedEnd(of handle: TransferHandle, _ error: TransferError, _ reason: TransferCancelReason?) {
        if attempts[handle] != nil {
            attempts[handle]?.end = (error, reason)
            process.stop(handle)
        } else {
            finishEnd(of: handle, error, reason, nil)
        }
    }

    /// Its file has no writer any more.
    func finishEnd(
        of handle: TransferHandle, _ error: TransferError, _ reason: TransferCancelReason?, _ attempt: TransferAttempt?
    ) {
        var end = TransferEnd(at: now.time, order: 0, error: error)
        end.cancelReason = reason
        self.end(handle, end, attempt)
    }

    /// It ended for lack of a resource that another attempt would lack too.
    ///
    /// - Parameter status: of HTTP, when no answer was kept; 0: no server has answered.
    func end(
        _ handle: TransferHandle, _ refusal: TransferRefusal, _ attempt: TransferAttempt? = nil, status: UInt16 = 0
    ) {
        var end = TransferEnd(at: now.time, order: 0, error: refusal.error)
        end.sentence = refusal.sentence
        end.status = status
        self.end(handle, end, attempt)
    }

    /// Records its end, which it gets once: the policy says whether this is it. Its application receives it once that is
    /// durable.
    func end(_ handle: TransferHandle, _ wanted: TransferEnd, _ attempt: TransferAttempt?) {
        guard let record = transfers[handle], let session = sessions[record.session],
            ask({ $0.ended(handle, at: $1) })
        else { return }
        stopWeighing(for: handle)
        var end = wanted
        numbers.order += 1
        end.order = numbers.order
        let progress = attempt?.progress ?? fresh[handle]?.progress ?? stored(handle)?.progress
        end.status = attempt?.response?.status ?? end.status
        end.url = attempt?.response?.url ?? ""
        end.headers = attempt?.response?.headers ?? []
        end.received = progress?.received ?? 0
        end.sent = progress?.sent ?? 0
        if end.error != nil { keepForLater(&end, handle, record, session, progress) }
        // A finished file counts with the application's others.
        if end.file.isEmpty {
            settlePart(of: record, isOver: true)
        } else {
            ledgers[session.application]?.set(record.id, 0)
        }
        if fresh[handle] != nil {
            fresh[handle]?.end = end
            fresh[handle]?.state = .ended
        } else {
            keeper.write(.transferEnded(record.id, end))
        }
        note(.ended, handle)
        noteFailure(end, of: handle, session)
        session.questions[handle] = nil
        session.ends.append(handle)
        talking.insert(session.handle)
        let (id, application) = (record.id, session.application)
        if !end.file.isEmpty { keeper.afterCommit { [unowned self] in publish(id, of: application) } }
        settleOwn(handle, of: session)
    }

    /// Moves a finished file to where its application finds it, as recorded, now or after a crash.
    func publish(_ id: Int64, of application: ApplicationIndex) {
        Failpoint.pass(.transferPublish)
        do throws(SystemError) {
            let folder = try parts(of: application)
            do throws(SystemError) {
                try folder.publish(id)
                ledgers[application]?.set(id, 0)
            } catch {
                // The application's fault: the file cannot be delivered.
                if error.code == .EEXIST { folder.remove(id) }
                throw error
            }
        } catch {
            announcer.note(.transferFailed, name(of: application), "a finished file could not be moved; \(error)")
        }
    }
}

/// Why a transfer cannot continue.
package struct TransferRefusal: Error {
    package var error: TransferError
    /// For display.
    package var sentence: String

    init(_ error: TransferError, _ sentence: String) {
        self.error = error
        self.sentence = sentence
    }
}
