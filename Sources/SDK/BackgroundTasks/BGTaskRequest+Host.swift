internal import CTaskHost
internal import TaskHostRuntime

extension BGTaskRequest {
    /// Lends the request to the host for the duration of the call.
    func withHostRequest<Result>(_ body: (UnsafePointer<taskhost_request_t>) -> Result) -> Result {
        let terms = terms
        return unsafe identifier.withTaskHostBytes { identifier in
            unsafe terms.title.withTaskHostBytes { title in
                unsafe terms.subtitle.withTaskHostBytes { subtitle in
                    var request = unsafe taskhost_request_t()
                    unsafe request.struct_size = unsafe UInt32(MemoryLayout<taskhost_request_t>.size)
                    unsafe request.abi_version = TASKHOST_ABI_VERSION
                    unsafe request.identifier = unsafe identifier
                    unsafe request.kind = kind
                    unsafe request.flags = terms.flags
                    if let earliestBeginDate {
                        unsafe request.flags |= TASKHOST_REQUEST_HAS_EARLIEST
                        unsafe request.earliest = Self.nanoseconds(earliestBeginDate)
                    }
                    unsafe request.title = unsafe title
                    unsafe request.subtitle = unsafe subtitle
                    unsafe request.resources = terms.resources
                    return unsafe body(&request)
                }
            }
        }
    }

    /// Since 1970, limited to the range of an Int64: applications use `.distantFuture`.
    private static func nanoseconds(_ date: Date) -> Int64 {
        let value = date.timeIntervalSince1970 * 1e9
        guard value < 9.2e18 else { return .max }
        return value > -9.2e18 ? Int64(value) : .min
    }

    /// The request that the host describes; nil for an unknown kind.
    static func make(_ described: taskhost_request_t) -> BGTaskRequest? {
        let identifier = unsafe String(described.identifier)
        let request: BGTaskRequest
        func has(_ flag: UInt32) -> Bool { unsafe described.flags & flag != 0 }
        switch unsafe described.kind {
        case TASKHOST_KIND_APP_REFRESH: request = BGAppRefreshTaskRequest(identifier: identifier)
        case TASKHOST_KIND_PROCESSING, TASKHOST_KIND_HEALTH_RESEARCH:
            let processing =
                unsafe described.kind == TASKHOST_KIND_PROCESSING
                ? BGProcessingTaskRequest(identifier: identifier)
                : BGHealthResearchTaskRequest(identifier: identifier)
            processing.requiresNetworkConnectivity = has(TASKHOST_REQUEST_NEEDS_NETWORK)
            processing.requiresExternalPower = has(TASKHOST_REQUEST_NEEDS_POWER)
            request = processing
        case TASKHOST_KIND_CONTINUED_PROCESSING:
            let continued = unsafe BGContinuedProcessingTaskRequest(
                identifier: identifier, title: String(described.title), subtitle: String(described.subtitle))
            continued.strategy = has(TASKHOST_REQUEST_FAILS_AT_ONCE) ? .fail : .queue
            continued.requiredResources = unsafe .init(rawValue: Int(described.resources))
            request = continued
        default: return nil
        }
        if has(TASKHOST_REQUEST_HAS_EARLIEST) {
            request.earliestBeginDate = unsafe Date(timeIntervalSince1970: Double(described.earliest) / 1e9)
        }
        return request
    }
}
