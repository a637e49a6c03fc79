import CTaskHost
import TaskModel
import Wire

extension TaskRequest {
    /// Reads the application's request, no further than its size. Requests that cannot be sent are refused.
    init(reading request: UnsafePointer<taskhost_request>) throws(SubmissionFault) {
        var copy = unsafe taskhost_request()
        let size = unsafe Int(request.pointee.struct_size)
        unsafe withUnsafeMutableBytes(of: &copy) { ours in
            unsafe ours.copyMemory(from: UnsafeRawBufferPointer(start: request, count: min(size, ours.count)))
        }
        guard let identifier = unsafe Self.text(copy.identifier, most: ServiceLimits.identifier), !identifier.isEmpty
        else {
            throw SubmissionFault(
                .notPermitted,
                "the request names no identifier of 1 to \(ServiceLimits.identifier) bytes; its struct_size is \(size); "
                    + "set struct_size to sizeof(taskhost_request_t) and name one of the manifest's tasks")
        }
        guard let kind = unsafe UInt8(exactly: copy.kind).flatMap({ TaskKind(rawValue: $0) }), !kind.isEvent else {
            throw SubmissionFault(
                .notPermitted,
                unsafe "the request for \(identifier) is of kind \(copy.kind); no such kind; use one of TASKHOST_KIND_…"
            )
        }
        var terms = RequestTerms()
        if unsafe copy.flags & TASKHOST_REQUEST_HAS_EARLIEST != 0 {
            terms.earliestBeginDate = unsafe Timestamp(nanoseconds: copy.earliest)
        }
        terms.requiresNetwork = unsafe copy.flags & TASKHOST_REQUEST_NEEDS_NETWORK != 0
        terms.requiresExternalPower = unsafe copy.flags & TASKHOST_REQUEST_NEEDS_POWER != 0
        terms.strategy = unsafe copy.flags & TASKHOST_REQUEST_FAILS_AT_ONCE != 0 ? .fail : .queue
        terms.requiredResources = unsafe copy.resources
        unsafe self.init(
            identifier: identifier, kind: kind, terms: terms, title: Self.beginning(of: copy.title),
            subtitle: Self.beginning(of: copy.subtitle))
    }

    private static func text(_ bytes: taskhost_bytes, most: Int) -> String? {
        guard let start = unsafe bytes.bytes, unsafe bytes.length <= most else { return nil }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(bytes.length)), as: UTF8.self)
    }

    /// Some bytes more than are kept, so that the cut falls between two characters.
    private static func beginning(of bytes: taskhost_bytes) -> String {
        guard let start = unsafe bytes.bytes else { return "" }
        let count = unsafe min(Int(clamping: bytes.length), ServiceLimits.title + 3)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Lends the request as the application sees it.
    func withC(_ body: (UnsafePointer<taskhost_request>) -> Void) {
        var flags: UInt32 = 0
        if terms.earliestBeginDate != nil { flags |= TASKHOST_REQUEST_HAS_EARLIEST }
        if terms.requiresNetwork { flags |= TASKHOST_REQUEST_NEEDS_NETWORK }
        if terms.requiresExternalPower { flags |= TASKHOST_REQUEST_NEEDS_POWER }
        if terms.strategy == .fail { flags |= TASKHOST_REQUEST_FAILS_AT_ONCE }
        unsafe identifier.withCString { identifierBytes in
            unsafe title.withCString { titleBytes in
                unsafe subtitle.withCString { subtitleBytes in
                    var request = unsafe taskhost_request(
                        struct_size: UInt32(MemoryLayout<taskhost_request>.size), abi_version: TASKHOST_ABI_VERSION,
                        identifier: taskhost_bytes(bytes: identifierBytes, length: UInt64(identifier.utf8.count)),
                        kind: UInt32(kind.rawValue), flags: flags, earliest: terms.earliestBeginDate?.nanoseconds ?? 0,
                        title: taskhost_bytes(bytes: titleBytes, length: UInt64(title.utf8.count)),
                        subtitle: taskhost_bytes(bytes: subtitleBytes, length: UInt64(subtitle.utf8.count)),
                        resources: terms.requiredResources, reserved: 0)
                    unsafe body(&request)
                }
            }
        }
    }
}
