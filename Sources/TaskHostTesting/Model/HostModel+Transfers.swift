internal import CTaskHost
internal import Engine
internal import TaskModel

// What a test lets happen to transfers, and whom the application hears it by.
extension HostModel {
    /// - Returns: false: it is over, or was not resumed.
    func answer(_ wanted: TestTransfer, _ answer: TransferAnswer) -> Bool {
        guard let (place, number, transfer) = find(wanted) else { return false }
        transfers.add(.response(answer, url: transfer.url), of: number, at: place)
        transfers.add(
            transfer.isDownload ? .downloaded(path: answer.path) : .answered(path: answer.path), of: number, at: place)
        complete(
            number, at: place,
            .completed(
                error: 0, cancelReason: nil, answer, url: transfer.url, isDownload: transfer.isDownload))
        announce(place)
        return true
    }

    /// - Returns: as `answer`.
    func fail(_ wanted: TestTransfer, _ error: Int32) -> Bool {
        guard let (place, number, _) = find(wanted) else { return false }
        end(number, at: place, error)
        announce(place)
        return true
    }

    /// - Returns: as `answer`.
    func progress(_ wanted: TestTransfer, _ count: Int64, _ total: Int64?) -> Bool {
        guard let (place, number, transfer) = find(wanted) else { return false }
        // Nobody is told later how far it was.
        guard isListening(place) else { return true }
        let kind: TransferEvent.Kind =
            transfer.isDownload
            ? .progress(received: count, toReceive: total, sent: 0, toSend: 0)
            : .progress(received: 0, toReceive: nil, sent: count, toSend: total)
        let event = TransferEvent(session: transfers.sessions[place].number, number: number, sequence: 0, kind: kind)
        effects.append(.tellProgress(place, event))
        return true
    }

    /// The process works, and has the session open.
    private func isListening(_ place: Int) -> Bool {
        let state = engine.state(of: application)
        return process != nil && transfers.sessions[place].listener != nil && state != .suspended
            && state != .notRunning
    }

    /// The application cancels one.
    func cancelTransfer(_ number: UInt32, at place: Int) {
        guard transfers.sessions[place].transfers[number]?.isOver == false else { return }
        end(number, at: place, Self.cancelled)
        announce(place)
    }

    /// The user has quit the application.
    func cancelTransfers() {
        for place in transfers.sessions.indices {
            for (number, transfer) in transfers.sessions[place].transfers where !transfer.isOver {
                end(number, at: place, Self.cancelled, TASKHOST_CANCEL_REASON_USER_FORCE_QUIT)
            }
        }
    }

    /// NSURLErrorCancelled
    private static let cancelled: Int32 = -999

    private func find(_ wanted: TestTransfer) -> (place: Int, number: UInt32, TransferTable.Transfer)? {
        let number = UInt32(clamping: wanted.identifier)
        guard let place = transfers.sessions.firstIndex(where: { $0.identifier == wanted.session }),
            let transfer = transfers.sessions[place].transfers[number], transfer.isResumed, !transfer.isOver
        else { return nil }
        return (place, number, transfer)
    }

    private func end(_ number: UInt32, at place: Int, _ error: Int32, _ reason: UInt32? = nil) {
        guard let transfer = transfers.sessions[place].transfers[number] else { return }
        complete(
            number, at: place,
            .completed(
                error: error, cancelReason: reason, nil, url: transfer.url, isDownload: transfer.isDownload))
    }

    private func complete(_ number: UInt32, at place: Int, _ kind: TransferEvent.Kind) {
        transfers.sessions[place].transfers[number]?.isOver = true
        transfers.add(kind, of: number, at: place)
    }

    /// A process that works hears of it at once; otherwise the application is resumed or launched when the session's last
    /// transfer is over.
    private func announce(_ place: Int) {
        let session = transfers.sessions[place]
        if isListening(place) {
            return effects.append(.tellSession(place))
        }
        guard session.isQuiet, session.sendsLaunchEvents, !scheduler.memory(of: application).isForceQuit else { return }
        hear(.sessionEvents(application: application))
    }

    /// The sessions that the application is called for.
    func takeCalled() -> [String] {
        for place in transfers.sessions.indices where transfers.sessions[place].hasNews {
            transfers.sessions[place].isCalled = true
            transfers.called.insert(transfers.sessions[place].identifier)
        }
        return transfers.sessions.filter { $0.isCalled }.map(\.identifier)
    }

    /// The application has called the completion handler that it was given for a session.
    func handled(_ session: String) {
        guard transfers.called.remove(session) != nil, transfers.called.isEmpty, let process else { return }
        hear(.sessionsHandled(process))
    }
}
