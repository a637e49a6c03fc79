import Engine
import Record
import Scheduling
import Setting
import TaskModel
import Wire
import Workers

// Requests of applications to the scheduler (taskhost_scheduling.h). Answers are sent after the commit.
extension Listener {
    /// One frame of the scheduling services. Throws for what no honest worker sends.
    func serveApplication(
        _ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader, of record: WorkerRecord
    ) throws(WireError) {
        switch kind {
        case .submitRequest:
            let callID = try open(header, of: record)
            let request = try TaskRequest(from: &reader)
            let reply = SubmissionReply(submit(request, of: record))
            answer(record) { [reply.frame(callID: callID)] }
        case .cancelRequests:
            let callID = try open(header, of: record)
            let frame = try CancelFrame(from: &reader)
            if frame.identifier.isEmpty {
                requests.cancelAll(of: record.application)
            } else {
                requests.cancel(frame.identifier, application: record.application)
            }
            answer(record) { [SubmissionReply().frame(callID: callID)] }
        case .pendingRequests:
            let callID = try open(header, of: record)
            try reader.end()
            let application = record.application
            answer(record) { [unowned self] in
                PendingList.frames(of: pendingRequests(of: application), callID: callID)
            }
        case .misuse:
            let report = try SentenceReport(from: &reader)
            noteMisuse(report.sentence, of: record)
        case .notification:
            let report = try SentenceReport(from: &reader)
            list(.notification, installed.name(of: record.application), report.sentence, by: record)
        case .title:
            let report = try TitleReport(from: &reader)
            setTitle(report, of: header.run, record)
        default: try serveLifecycle(kind, header, &reader, of: record)
        }
    }

    /// A question of the worker. It may not have more of them open than a thread each could have.
    func open(_ header: FrameHeader, of record: WorkerRecord) throws(WireError) -> UInt32 {
        guard record.calls.open < ServiceLimits.openCalls else { throw .badValue }
        record.calls.open += 1
        return header.run.callID
    }

    /// Answers one request, in as many frames as needed; they are created when they can be sent.
    func answer(_ record: WorkerRecord, _ frames: @escaping () -> [[UInt8]]) {
        let handle = record.handle
        keeper.afterCommit { [unowned self] in
            guard let record = table[handle] else { return }
            for frame in frames() { record.channel.enqueue(frame) }
            record.answerIsGathered()
            table.talk(record)
        }
    }

    /// nil: it was taken.
    private func submit(_ request: TaskRequest, of record: WorkerRecord) -> SubmissionFault? {
        do throws(SubmissionFault) {
            _ = try requests.submit(request, application: record.application)
            return nil
        } catch {
            let words = "\(error.code.name) (\(error.code.rawValue)): \(error.sentence)"
            list(.requestRefused, request.identifier, words, by: record)
            return error
        }
    }

    /// Adds a worker's event to the journal, unless there are too many.
    @discardableResult
    func list(_ kind: JournalKind, _ subject: String, _ text: String, by record: WorkerRecord) -> Bool {
        record.journal.told[kind, default: 0] += 1
        guard record.journal.told[kind, default: 0] <= Self.notedAtMost else { return false }
        announcer.note(kind, subject, text)
        return true
    }

    /// Notes the number of unlisted events, when the worker has ended.
    func noteUnlisted(of record: WorkerRecord) {
        let name = installed.name(of: record.application)
        for kind in [JournalKind.requestRefused, .misuse, .notification] {
            let unlisted = record.journal.told[kind, default: 0] - Self.notedAtMost
            if unlisted > 0 { announcer.note(kind, name, "and \(unlisted) more of one process") }
        }
    }

    /// Lines of one kind that one worker may cause.
    private static let notedAtMost = 64

    private func pendingRequests(of application: ApplicationIndex) -> [TaskRequest] {
        decider.pendingRequests(of: application).compactMap { handle in
            guard let view = decider.request(handle), !view.request.kind.isEvent else { return nil }
            var request = requests.whole(view)
            request.terms.earliestBeginDate = request.terms.earliestBeginDate.map(decider.byMachine)
            return request
        }
    }

    private func noteMisuse(_ sentence: String, of record: WorkerRecord) {
        let name = installed.name(of: record.application)
        guard list(.misuse, name, sentence, by: record) else { return }
        for run in decider.runs(of: record.handle) { note(sentence, for: run, of: record) }
    }

    private func setTitle(_ report: TitleReport, of run: RunHandle, _ record: WorkerRecord) {
        guard table.owns(run, record), let task = decider.task(of: run),
            installed.tasks[task].definition.kind == .continuedProcessing
        else { return }
        runs.setTitle(report, of: run)
    }
}
