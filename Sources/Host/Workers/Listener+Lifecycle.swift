import Engine
import Record
import Scheduling
import Setting
import TaskModel
import Wire
import Workers

// Workers' answers to states, and their frames about background time.
extension Listener {
    /// One frame of these. Throws for what no honest worker sends.
    func serveLifecycle(
        _ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader, of record: WorkerRecord
    ) throws(WireError) {
        switch kind {
        case .returned:
            try reader.end()
            try record.lifecycle.takeReturn(of: header.run.callID)
            decider.hear(.returned(record.handle, state: header.run.callID))
        case .assertionBegan:
            let began = try AssertionBegan(from: &reader)
            try record.lifecycle.hold(HeldAssertion(said: began, began: decider.now.instant))
            hearAssertions(of: record)
            // When its background time ends, now that this counts.
            if record.lifecycle.assertions.count == 1 { tellBackgroundEnd(record) }
        case .assertionEnded:
            let ended = try AssertionEnded(from: &reader)
            try record.lifecycle.letGo(of: ended.id)
            hearAssertions(of: record)
        case .fetchInterval:
            let told = try FetchInterval(from: &reader)
            setFetchInterval(told.seconds.map { .seconds($0) }, of: record)
        case .watchNetwork:
            try reader.end()
            record.watchesNetwork = true
            table.tell(record, NetworkFrame(decider.conditions.network).frame())
        default: try serveSessions(kind, header, &reader, of: record)
        }
    }

    private func hearAssertions(of record: WorkerRecord) {
        decider.hear(.assertions(record.handle, count: UInt32(record.lifecycle.assertions.count)))
    }

    /// The application requests a fetch at each such interval; nil: none. If it gets none, the journal says so once.
    private func setFetchInterval(_ interval: TimeSpan?, of record: WorkerRecord) {
        decider.setFetchInterval(interval, of: record.application)
        decider.settle()
        guard interval != nil, let lack = EventTasks.lackOfFetch(record.form.definition), !record.journal.wasToldOfFetch
        else {
            return
        }
        record.journal.wasToldOfFetch = true
        // Not a diagnostic of a run: an application that also supports older systems requests both.
        list(.misuse, record.form.definition.identifier, lack, by: record)
    }

    /// A run of the worker has ended: background time starts now, if it is needed.
    func runEnded(of record: WorkerRecord) {
        if !record.lifecycle.assertions.isEmpty { tellBackgroundEnd(record) }
    }

    /// Tells a worker in the background when its background time ends, without a call to its application.
    private func tellBackgroundEnd(_ record: WorkerRecord) {
        guard record.stage == .ready else { return }
        let state = decider.state(of: record.application)
        guard state == .background || state == .suspended else { return }
        table.tell(record, launcher.status(.background, of: record).frame())
    }
}
