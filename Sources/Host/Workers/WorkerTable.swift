import Engine
import Linux
import Setting
package import TaskModel
import Workers

/// The live workers: their processes, channels and groups, and when they are read and written. Thread: the loop's.
package final class WorkerTable {
    /// By the engine's index.
    private var records = Table<WorkerIndex, WorkerRecord?>()
    /// Workers that have frames to be sent at the end of the turn.
    private var talking: [WorkerHandle] = []
    /// Workers whose wires or pipes are not read for a while, and when the first of them is read again.
    private var quiet: [WorkerHandle] = []
    private(set) var quietEnd = Instant.distantFuture
    private let poller: Poller
    private let decider: Decider
    private let runs: RunTable

    init(_ poller: Poller, _ decider: Decider, _ runs: RunTable) {
        self.poller = poller
        self.decider = decider
        self.runs = runs
    }

    // MARK: Records

    /// The live ones, in the order of their places. Workers that are removed during the iteration are skipped.
    package var living: some Sequence<WorkerRecord> {
        records.indices.lazy.compactMap { [unowned self] in records[$0] }
    }

    /// The living ones that have, or will have, code of their applications: those that were made ahead and wait are left out.
    package var employed: some Sequence<WorkerRecord> { living.lazy.filter { !$0.isSpare } }

    /// The record of a worker that is still this one.
    package subscript(handle: WorkerHandle) -> WorkerRecord? {
        guard records.contains(handle.slot), let record = records[handle.slot], record.handle == handle else {
            return nil
        }
        return record
    }

    subscript(key: SourceKey) -> WorkerRecord? {
        let index = WorkerIndex(number: key.index)
        guard records.contains(index), let record = records[index],
            record.handle.generation & 0xFF_FFFF == key.generation
        else { return nil }
        return record
    }

    func insert(_ record: WorkerRecord) {
        while !records.contains(record.handle.slot) { _ = records.append(nil) }
        records[record.handle.slot] = record
    }

    /// Watches the worker's descriptors.
    func watch(_ record: WorkerRecord) throws(SystemError) {
        try poller.add(record.channel.wire, key: record.key(.wire))
        try poller.add(record.channel.log, key: record.key(.log))
        try poller.add(record.channel.errors, key: record.key(.errors))
        if let descriptor = record.group.emptinessDescriptor {
            try poller.add(descriptor, key: record.key(.emptiness), urgent: true)
        }
        if let memoryEvents = record.group.memoryEvents {
            try poller.add(memoryEvents.descriptor, key: record.key(.memoryEvents), urgent: memoryEvents.isUrgent)
        }
    }

    func remove(_ record: WorkerRecord) {
        poller.remove(record.channel.wire)
        poller.remove(record.channel.log)
        poller.remove(record.channel.errors)
        if let descriptor = record.group.emptinessDescriptor { poller.remove(descriptor) }
        if let memoryEvents = record.group.memoryEvents { poller.remove(memoryEvents.descriptor) }
        records[record.handle.slot] = nil
    }

    /// Its wire is not read any more.
    func closeWire(of record: WorkerRecord) { poller.remove(record.channel.wire) }

    /// Left in the poller, a closed pipe would be ready for ever.
    func closeLog(of record: WorkerRecord, errors: Bool) {
        poller.remove(errors ? record.channel.errors : record.channel.log)
    }

    /// Whether the run belongs to this worker: a worker may report about no other.
    func owns(_ run: RunHandle, _ record: WorkerRecord) -> Bool {
        decider.belongs(run, to: record.handle)
    }

    /// It broke the protocol: it is killed and not read any more, and its runs crashed.
    func giveUp(_ record: WorkerRecord, _ sentence: String) {
        guard record.stage != .broken else { return }
        record.stage = .broken
        poller.remove(record.channel.wire)
        for run in decider.runs(of: record.handle) { runs[run].diagnostics.append(sentence) }
        decider.hear(.violated(record.handle))
    }

    // MARK: Later

    /// Reads its wire or not, by its budget and its unread replies.
    private func settleHearing(_ record: WorkerRecord) {
        poller.setReadable(record.channel.wire, !record.pace.isLeftAlone, key: record.key(.wire))
    }

    /// It exceeded its budget: its wire is read again at that time.
    func leaveWireAlone(_ record: WorkerRecord, until: Instant) {
        record.pace.wireQuiet = until
        settleHearing(record)
        leaveAlone(record, until: until)
    }

    private func settleReading(_ record: WorkerRecord) {
        poller.setReadable(record.channel.log, record.pace.logQuiet == nil, key: record.key(.log))
        poller.setReadable(record.channel.errors, record.pace.logQuiet == nil, key: record.key(.errors))
    }

    /// It printed too much: its pipes are read again at `logQuiet`.
    func leaveLogAlone(_ record: WorkerRecord) {
        settleReading(record)
        leaveAlone(record, until: record.pace.logQuiet)
    }

    private func leaveAlone(_ record: WorkerRecord, until: Instant?) {
        if !record.pace.isQuiet { quiet.append(record.handle) }
        record.pace.isQuiet = true
        quietEnd = min(quietEnd, until ?? .distantFuture)
    }

    /// Resumes reading of workers whose time has come. They are read in the next turn, after those that wait already.
    func hearAgain() {
        guard quietEnd <= decider.now.instant else { return }
        quietEnd = .distantFuture
        quiet.removeAll { handle in
            guard let record = self[handle] else { return true }
            if let end = record.pace.wireQuiet, end <= decider.now.instant {
                record.pace.wireQuiet = nil
                settleHearing(record)
            }
            if let end = record.pace.logQuiet, end <= decider.now.instant {
                record.pace.logQuiet = nil
                settleReading(record)
            }
            let next = [record.pace.wireQuiet, record.pace.logQuiet].compactMap { $0 }.min()
            if let next { quietEnd = min(quietEnd, next) }
            record.pace.isQuiet = next != nil
            return next == nil
        }
    }

    // MARK: Sending

    /// Sends the gathered frames of the worker.
    func flush(_ record: WorkerRecord) {
        guard !record.isHeld else { return }
        let flow = record.channel.flush()
        poller.setWritable(record.channel.wire, flow == .full, key: record.key(.wire))
        record.settleCalls()
        let isBackedUp = record.channel.backlog > WorkerChannel.longBacklog
        if isBackedUp != record.pace.isBackedUp {
            record.pace.isBackedUp = isBackedUp
            settleHearing(record)
        }
        // A worker that died: its exit report tells.
        if flow == .broken { giveUp(record, "the process did not read the host's frames and was killed") }
    }

    /// Gathers a frame that is sent at the end of the turn.
    func tell(_ record: WorkerRecord, _ frame: [UInt8]?) {
        record.channel.enqueue(frame ?? [])
        talk(record)
    }

    /// It has something to be sent at the end of the turn.
    func talk(_ record: WorkerRecord) {
        if talking.last != record.handle { talking.append(record.handle) }
    }

    /// Sends the gathered frames of each worker.
    func flush() {
        var index = 0
        while index < talking.count {
            let handle = talking[index]
            index += 1
            if let record = self[handle] { flush(record) }
        }
        talking.removeAll(keepingCapacity: true)
    }
}
