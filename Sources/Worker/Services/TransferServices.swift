import CTaskHost
import TaskModel
import Wire

/// The functions behind `taskhost_transfer_t`.
enum TransferServices {
    /// Created when the plugin requests it; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_transfer(
            struct_size: UInt32(MemoryLayout<taskhost_transfer>.size), abi_version: TASKHOST_ABI_VERSION,
            open: { unsafe TransferServices.open($0, $1, $2, $3, $4, ($5, $6), ($7, $8)) },
            replay: { TransferServices.tell($0, SessionCommand(session: $0, .replay).frame()) },
            invalidate: { WorkerProcess.sessions.close($0) ? TASKHOST_OK : TASKHOST_UNKNOWN },
            create: { unsafe TransferServices.create($0, $1, $2, ($3, $4)) },
            resume: { TransferServices.change($0, $1, .resume) },
            suspend: { TransferServices.change($0, $1, .suspend) },
            cancel: { TransferServices.change($0, $1, $2 != 0 ? .cancelProducingResumeData : .cancel) },
            set_priority: { session, number, priority in
                guard priority >= 0, priority <= 1 else { return TASKHOST_INVALID }
                return TransferServices.change(session, number, .priority(priority))
            },
            set_text: { session, number, text in
                // Some bytes more than are kept, so that the cut falls between two characters.
                unsafe TransferServices.change(
                    session, number, .text(beginning(of: text, most: TransferLimit.text + 3)))
            },
            set_earliest: { session, number, date in
                let date = date == .min ? nil : Timestamp(nanoseconds: date)
                return TransferServices.change(session, number, .earliest(date))
            },
            set_expected: { session, number, send, receive in
                TransferServices.change(
                    session, number, .expected(send: send < 0 ? nil : send, receive: receive < 0 ? nil : receive))
            },
            answer: { unsafe TransferServices.answer($0, $1, $2) },
            acknowledge: { TransferServices.tell($0, AcknowledgeTransfer(session: $0, sequence: $1).frame()) },
            session_handled: { unsafe TransferServices.handled($0) },
            set_authorization: { unsafe TransferServices.setAuthorization($0, $1) }))

    /// Where a sentence goes, and how many bytes there are for it.
    private typealias Reason = (UnsafeMutablePointer<CChar>?, UInt64)

    private static func open(
        _ identifier: UnsafePointer<CChar>, _ options: UnsafePointer<taskhost_session_options>?,
        _ known: taskhost_known_transfer_fn?, _ event: taskhost_transfer_event_fn, _ context: UnsafeMutableRawPointer?,
        _ numbers: (session: UnsafeMutablePointer<UInt32>, next: UnsafeMutablePointer<UInt32>), _ reason: Reason
    ) -> Int32 {
        let question: OpenSession
        do throws(MalformedTransfer) {
            question = try unsafe OpenSession(identifier, options)
        } catch {
            unsafe copyText(error.sentence, to: reason.0, reason.1)
            return TASKHOST_INVALID
        }
        guard let answer = unsafe WorkerProcess.sessions.open(question, event, context) else {
            let sentence = "this process has session \(question.identifier) open already; use the number that it has"
            unsafe copyText(sentence, to: reason.0, reason.1)
            return TASKHOST_INVALID
        }
        unsafe copyText(answer.sentence, to: reason.0, reason.1)
        if let fault = answer.fault { return fault.rawValue }
        unsafe (numbers.session.pointee, numbers.next.pointee) = (answer.session, answer.next)
        if let known = unsafe known {
            for transfer in answer.transfers { unsafe transfer.withC { unsafe known(context, $0) } }
        }
        return TASKHOST_OK
    }

    private static func create(
        _ session: UInt32, _ request: UnsafePointer<taskhost_transfer_request>,
        _ number: UnsafeMutablePointer<UInt32>, _ reason: Reason
    ) -> Int32 {
        var fault = MalformedTransfer(
            "a transfer's request has more than \(FrameHeader.longestFromWorker) bytes; shorten its URL, headers or text"
        )
        var wanted: TransferRequest?
        do throws(MalformedTransfer) { wanted = unsafe try TransferRequest(reading: request) } catch { fault = error }
        guard let created = WorkerProcess.sessions.create(session, wanted) else { return TASKHOST_UNKNOWN }
        unsafe number.pointee = created.number
        unsafe copyText(created.isTold ? "" : fault.sentence, to: reason.0, reason.1)
        return created.isTold ? TASKHOST_OK : TASKHOST_INVALID
    }

    private static func tell(_ session: UInt32, _ frame: [UInt8]) -> Int32 {
        WorkerProcess.sessions.tell(session, frame) ? TASKHOST_OK : TASKHOST_UNKNOWN
    }

    private static func change(_ session: UInt32, _ number: UInt32, _ change: ChangeTransfer.Change) -> Int32 {
        tell(session, ChangeTransfer(session: session, number: number, change).frame())
    }

    private static func answer(
        _ session: UInt32, _ number: UInt32, _ answer: UnsafePointer<taskhost_transfer_answer>
    ) -> Int32 {
        guard let answer = try? unsafe TransferAnswer(reading: answer),
            let frame = AnswerTransfer(session: session, number: number, answer).frame(),
            frame.count <= FrameHeader.longestFromWorker
        else { return TASKHOST_INVALID }
        return tell(session, frame)
    }

    private static func handled(_ identifier: UnsafePointer<CChar>) -> Int32 {
        guard let name = unsafe readText(identifier, most: TransferLimit.identifier), !name.isEmpty else {
            return TASKHOST_INVALID
        }
        WorkerProcess.wire.send(SessionEvents(identifier: name).frame(.sessionHandled))
        return TASKHOST_OK
    }

    private static func setAuthorization(
        _ origin: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>
    ) -> Int32 {
        guard let origin = unsafe readText(origin, most: TransferLimit.url),
            let value = unsafe readText(value, most: TransferLimit.headers),
            let frame = SetAuthorization(origin: origin, value: value).frame(),
            frame.count <= FrameHeader.longestFromWorker
        else { return TASKHOST_INVALID }
        WorkerProcess.wire.send(frame)
        return TASKHOST_OK
    }
}
