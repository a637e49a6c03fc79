import CTaskHost
import Linux
import TaskModel
import Wire

/// The functions behind `taskhost_scheduling_t`.
enum SchedulingServices {
    /// Created when the plugin requests it, after the host has sent the tasks; lives as long as the process.
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table: UnsafePointer<taskhost_scheduling> = {
        let permitted = unsafe WorkerProcess.tasks.permitted()
        return unsafe forever(
            taskhost_scheduling(
                struct_size: UInt32(MemoryLayout<taskhost_scheduling>.size), abi_version: TASKHOST_ABI_VERSION,
                flags: WorkerProcess.isStrict ? TASKHOST_SCHEDULING_STRICT : 0,
                supported_resources: WorkerProcess.supportedResources,
                permitted: permitted.baseAddress, permitted_count: UInt64(permitted.count),
                register_handler: { unsafe SchedulingServices.register($0, $1) },
                submit: { unsafe SchedulingServices.submit($0, $1, $2) },
                cancel: { unsafe SchedulingServices.cancel($0) },
                pending: { unsafe SchedulingServices.pending($0, $1) },
                report: { unsafe SchedulingServices.report($0) },
                update_title: { unsafe SchedulingServices.updateTitle(HostServices.state(of: $0), $1, $2) },
                title: { unsafe SchedulingServices.title(HostServices.state(of: $0), $1, $2) }))
    }()

    private static func register(_ identifier: UnsafePointer<CChar>, _ handler: taskhost_handler_fn) -> Int32 {
        guard let name = unsafe readText(identifier, most: ServiceLimits.identifier) else { return TASKHOST_UNKNOWN }
        return unsafe WorkerProcess.tasks.replace(name, handler)
    }

    private static func submit(
        _ request: UnsafePointer<taskhost_request>, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: UInt64
    ) -> Int32 {
        let fault: SubmissionFault?
        do throws(SubmissionFault) {
            let wanted = try unsafe TaskRequest(reading: request)
            WorkerProcess.prepareToWait()
            guard case .submission(let reply) = WorkerProcess.questions.ask({ wanted.frame(callID: $0) }) else {
                // The reply to another request: this host cannot be trusted.
                ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
            }
            fault = reply.fault
        } catch {
            fault = error
        }
        unsafe copyText(fault?.sentence ?? "", to: reason, capacity)
        return fault.map { Int32($0.code.rawValue) } ?? TASKHOST_OK
    }

    private static func cancel(_ identifier: UnsafePointer<CChar>?) {
        var wanted = CancelFrame(identifier: "")
        if let identifier = unsafe identifier {
            // Nothing has an empty name, and nothing one that is too long.
            guard let name = unsafe readText(identifier, most: ServiceLimits.identifier), !name.isEmpty else { return }
            wanted.identifier = name
        }
        WorkerProcess.prepareToWait()
        _ = WorkerProcess.questions.ask { wanted.frame(callID: $0) }
    }

    private static func pending(_ each: taskhost_pending_fn, _ context: UnsafeMutableRawPointer?) {
        WorkerProcess.prepareToWait()
        guard case .pending(let requests) = WorkerProcess.questions.ask({ PendingList.question(callID: $0) }) else {
            ThisProcess.exitAtOnce(WorkerExitStatus.protocolFault)
        }
        for request in requests { unsafe request.withC { unsafe each(context, $0) } }
    }

    private static func report(_ sentence: UnsafePointer<CChar>) {
        unsafe WorkerProcess.wire.send(
            SentenceReport(sentence: beginning(of: sentence, most: ServiceLimits.sentence)).frame(.misuse))
    }

    // MARK: Continued processing

    private static func updateTitle(
        _ state: UnsafeMutablePointer<HandlerRun>, _ title: UnsafePointer<CChar>, _ subtitle: UnsafePointer<CChar>
    ) -> Int32 {
        guard unsafe state.pointee.task.kind == TASKHOST_KIND_CONTINUED_PROCESSING else { return TASKHOST_INVALID }
        guard unsafe HostServices.isUnderWay(state) else { return TASKHOST_ALREADY_COMPLETED }
        // Some bytes more than are kept, so that the cut falls between two characters.
        let most = ServiceLimits.title + 3
        let report = unsafe TitleReport(
            title: beginning(of: title, most: most), subtitle: beginning(of: subtitle, most: most))
        unsafe WorkerProcess.wire.send(report.frame(run: state.pointee.handle))
        return TASKHOST_OK
    }

    private static func title(
        _ state: UnsafeMutablePointer<HandlerRun>, _ title: UnsafeMutablePointer<taskhost_bytes>,
        _ subtitle: UnsafeMutablePointer<taskhost_bytes>
    ) -> Int32 {
        guard unsafe state.pointee.task.kind == TASKHOST_KIND_CONTINUED_PROCESSING else { return TASKHOST_INVALID }
        unsafe title.pointee = state.pointee.title
        unsafe subtitle.pointee = state.pointee.subtitle
        return TASKHOST_OK
    }
}
