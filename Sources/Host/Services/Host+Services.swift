import Engine
import Linux
import Record
import Scheduling
import TaskModel
import Wire
import Workers

// What applications ask of the scheduler (taskhost_scheduling.h). Answers leave after the commit that makes them true.
extension Host {
    /// One frame of the scheduling services. Throws for what no honest worker sends.
    func serveApplication(
        _ kind: FrameKind, _ header: FrameHeader, _ reader: inout FrameReader, of record: WorkerRecord
    ) throws(WireError) {
        switch kind {
        case .submitRequest:
            let ticket = try open(header, of: record)
            let frame = try RequestFrame(from: &reader)
            let reply = SubmissionReply(submit(frame, of: record))
            answer(record) { [reply.frame(ticket: ticket)] }
        case .cancelRequests:
            let ticket = try open(header, of: record)
            let frame = try CancelFrame(from: &reader)
            if frame.identifier.isEmpty {
                cancelRequests(of: record.application)
            } else {
                cancelRequest(frame.identifier, application: record.application)
            }
            answer(record) { [SubmissionReply().frame(ticket: ticket)] }
        case .pendingRequests:
            let ticket = try open(header, of: record)
            try reader.end()
            let application = record.application
            answer(record) { [unowned self] in
                PendingList.frames(of: pendingFrames(of: application), ticket: ticket)
            }
        case .misuse:
            let report = try MisuseReport(from: &reader)
            noteMisuse(report.sentence, of: record)
        case .title:
            let report = try TitleReport(from: &reader)
            setTitle(report, of: header.run, record)
        case .assertions:
            let count = try AssertionCount(from: &reader)
            engine.handle(.assertions(record.handle, count: count.count), at: now, into: &actions)
        default: throw .unknownKind(kind.rawValue)
        }
    }

    /// A question of the worker. It may not have more of them open than a thread each could have.
    private func open(_ header: FrameHeader, of record: WorkerRecord) throws(WireError) -> UInt32 {
        guard record.openTickets < ServiceLimits.tickets else { throw .badValue }
        record.openTickets += 1
        return header.run.ticket
    }

    /// Answers one question, in as many frames as that takes; they are made when they can leave.
    private func answer(_ record: WorkerRecord, _ frames: @escaping () -> [[UInt8]]) {
        let handle = record.handle
        afterCommit { [unowned self] in
            guard let record = worker(handle) else { return }
            for frame in frames() { record.channel.enqueue(frame) }
            record.answerIsGathered()
            talk(record)
        }
    }

    /// nil: it was taken.
    private func submit(_ frame: RequestFrame, of record: WorkerRecord) -> SubmissionFault? {
        do throws(SubmissionFault) {
            var terms = frame.terms
            terms.origin = .application
            _ = try submitRequest(
                frame.identifier, application: record.application, kind: frame.kind, terms: terms, title: frame.title,
                subtitle: frame.subtitle)
            return nil
        } catch {
            noteRefusal(error, of: frame.identifier, record)
            return error
        }
    }

    /// Bounded for each worker, as misuses are: the application learns of every one, and may go on without end.
    private func noteRefusal(_ fault: SubmissionFault, of identifier: String, _ record: WorkerRecord) {
        record.refusals += 1
        guard record.refusals <= Self.notedAtMost else { return }
        note(.requestRefused, identifier, "\(fault.code.name) (\(fault.code.rawValue)): \(fault.sentence)")
    }

    /// Tells how much more there was than the journal lists, when the worker has ended.
    func noteUnlisted(of record: WorkerRecord) {
        let name = applications[record.application].definition.identifier
        if record.refusals > Self.notedAtMost {
            note(.requestRefused, name, "and \(record.refusals - Self.notedAtMost) more of one process")
        }
        if record.misuses > Self.notedAtMost {
            note(.misuse, name, "and \(record.misuses - Self.notedAtMost) more of one process")
        }
    }

    /// Lines of one kind that one worker may cause.
    private static let notedAtMost = 64

    private func pendingFrames(of application: Int) -> [RequestFrame] {
        scheduler.pending(application: UInt32(application)).compactMap { handle in
            guard let view = scheduler.request(handle), let identifier = identifier(of: handle) else { return nil }
            let extra = extra(of: view)
            return RequestFrame(
                identifier: identifier, kind: view.request.kind, terms: view.request.terms, title: extra.title,
                subtitle: extra.subtitle)
        }
    }

    private func noteMisuse(_ sentence: String, of record: WorkerRecord) {
        // Bounded for each worker: a plugin may report without end.
        record.misuses += 1
        guard record.misuses <= Self.notedAtMost else { return }
        note(.misuse, applications[record.application].definition.identifier, sentence)
        for run in engine.runs(of: record.handle) { note(sentence, for: run, of: record) }
    }

    private func setTitle(_ report: TitleReport, of run: RunHandle, _ record: WorkerRecord) {
        guard owns(run, record), let slot = engine.run(run),
            tasks[Int(slot.task)].definition.kind == .continuedProcessing
        else { return }
        extras[Int(run.index)].title = report.title
        extras[Int(run.index)].subtitle = report.subtitle
        audience?.run(
            run, didProgress: extras[Int(run.index)].progress ?? ProgressReport(completed: 0, total: 0, text: ""),
            in: self)
    }

    /// How far a run is; nil when it has not told, and has no title either.
    func progress(of run: RunHandle) -> RunProgress? {
        let titles = titles(of: run)
        let report = run.index < extras.count ? extras[Int(run.index)].progress : nil
        guard report != nil || titles != nil else { return nil }
        return RunProgress(report ?? ProgressReport(completed: 0, total: 0, text: ""), titles)
    }

    /// What a continued-processing run is shown with.
    func titles(of run: RunHandle) -> (title: String, subtitle: String)? {
        guard run.index < extras.count, !extras[Int(run.index)].title.isEmpty else { return nil }
        return (extras[Int(run.index)].title, extras[Int(run.index)].subtitle)
    }
}
