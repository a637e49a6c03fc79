internal import CTaskHost
internal import Foundation
internal import TaskHostRuntime
internal import TaskModel

/// The functions behind `taskhost_scheduling_t`.
enum RequestServices {
    /// Misuse is reported: a test sees it, and the other tests go on.
    static func table(permitted: UnsafePointer<taskhost_permitted_t>?, count: Int) -> taskhost_scheduling_t {
        unsafe taskhost_scheduling_t(
            struct_size: UInt32(MemoryLayout<taskhost_scheduling_t>.size), abi_version: TASKHOST_ABI_VERSION, flags: 0,
            supported_resources: 0, permitted: permitted, permitted_count: UInt64(count),
            register_handler: { identifier, handler in
                let identifier = unsafe String(cString: identifier)
                return unsafe HostCore.current?.register(identifier, handler) ?? TASKHOST_UNKNOWN
            },
            submit: { unsafe RequestServices.submit($0.pointee, $1, Int(clamping: $2)) },
            cancel: { identifier in
                let identifier = unsafe identifier.map { unsafe String(cString: $0) }
                HostCore.current?.change { $0.cancel(identifier) }
            },
            pending: { unsafe RequestServices.pending($0, $1) },
            report: { sentence in
                let sentence = unsafe String(cString: sentence)
                HostCore.current?.change { model in
                    model.misuses.append(sentence)
                    for run in model.active(nil) { model.facts[run]?.diagnostics.append(sentence) }
                }
            },
            update_title: { task, _, _ in
                unsafe RunCell.of(task).kind == .continuedProcessing ? TASKHOST_OK : TASKHOST_INVALID
            },
            title: { task, title, subtitle in
                let cell = unsafe RunCell.of(task)
                guard cell.kind == .continuedProcessing else { return TASKHOST_INVALID }
                unsafe title.pointee = cell.title.bytes
                unsafe subtitle.pointee = cell.subtitle.bytes
                return TASKHOST_OK
            })
    }

    private static func submit(
        _ request: taskhost_request_t, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
    ) -> Int32 {
        let fault = unsafe submit(request)
        if let reason = unsafe reason, capacity > 0 {
            let sentence = Array((fault?.sentence ?? "").utf8.prefix(capacity - 1))
            for (index, byte) in sentence.enumerated() { unsafe reason[index] = CChar(bitPattern: byte) }
            unsafe reason[sentence.count] = 0
        }
        return fault.map { Int32($0.code.rawValue) } ?? TASKHOST_OK
    }

    /// nil: it was taken.
    private static func submit(_ request: taskhost_request_t) -> SubmissionFault? {
        guard let core = HostCore.current,
            let kind = unsafe UInt8(exactly: request.kind).flatMap({ TaskKind(rawValue: $0) })
        else { return SubmissionFault(.unavailable, "no TestHost is open; make one in the test") }
        var terms = RequestTerms()
        func has(_ flag: UInt32) -> Bool { unsafe request.flags & flag != 0 }
        terms.requiresNetwork = has(TASKHOST_REQUEST_NEEDS_NETWORK)
        terms.requiresExternalPower = has(TASKHOST_REQUEST_NEEDS_POWER)
        terms.strategy = has(TASKHOST_REQUEST_FAILS_AT_ONCE) ? .fail : .queue
        terms.requiredResources = unsafe request.resources
        let wanted = unsafe TaskRequest(
            identifier: String(request.identifier), kind: kind, terms: terms, title: String(request.title),
            subtitle: String(request.subtitle))
        let date = unsafe has(TASKHOST_REQUEST_HAS_EARLIEST) ? Timestamp(nanoseconds: request.earliest) : nil
        return core.change { model in
            do throws(SubmissionFault) {
                try model.submit(wanted, earliest: date)
                return nil
            } catch {
                return error
            }
        }
    }

    private static func pending(_ each: taskhost_pending_fn, _ context: UnsafeMutableRawPointer?) {
        for request in HostCore.current?.change({ $0.submitted }) ?? [] {
            let texts = [request.identifier, request.title, request.subtitle].map { CText($0) }
            let terms = request.terms
            var flags: UInt32 = terms.earliestBeginDate == nil ? 0 : TASKHOST_REQUEST_HAS_EARLIEST
            if terms.requiresNetwork { flags |= TASKHOST_REQUEST_NEEDS_NETWORK }
            if terms.requiresExternalPower { flags |= TASKHOST_REQUEST_NEEDS_POWER }
            if terms.strategy == .fail { flags |= TASKHOST_REQUEST_FAILS_AT_ONCE }
            withExtendedLifetime(texts) {
                var described = unsafe taskhost_request_t(
                    struct_size: UInt32(MemoryLayout<taskhost_request_t>.size), abi_version: TASKHOST_ABI_VERSION,
                    identifier: texts[0].bytes, kind: UInt32(request.kind.rawValue), flags: flags,
                    earliest: terms.earliestBeginDate?.nanoseconds ?? 0, title: texts[1].bytes,
                    subtitle: texts[2].bytes, resources: terms.requiredResources, reserved: 0)
                unsafe each(context, &described)
            }
        }
    }
}
