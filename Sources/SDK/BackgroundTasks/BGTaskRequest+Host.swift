internal import CTaskHost
internal import TaskHostRuntime

extension BGTaskRequest {
    /// Lends the request to the host for the duration of the call.
    func withHostRequest<Result>(_ body: (UnsafePointer<taskhost_request_t>) -> Result) -> Result {
        let terms = terms
        return identifier.withTaskHostBytes { identifier in
            terms.title.withTaskHostBytes { title in
                terms.subtitle.withTaskHostBytes { subtitle in
                    var request = taskhost_request_t()
                    request.struct_size = UInt32(MemoryLayout<taskhost_request_t>.size)
                    request.abi_version = TASKHOST_ABI_VERSION
                    request.identifier = identifier
                    request.kind = kind
                    request.flags = terms.flags
                    if let earliestBeginDate {
                        request.flags |= TASKHOST_REQUEST_HAS_EARLIEST
                        request.earliest = Self.nanoseconds(earliestBeginDate)
                    }
                    request.title = title
                    request.subtitle = subtitle
                    request.resources = terms.resources
                    return body(&request)
                }
            }
        }
    }

    /// Since 1970, held within what an Int64 counts: `.distantFuture` is a date that people write.
    private static func nanoseconds(_ date: Date) -> Int64 {
        let value = date.timeIntervalSince1970 * 1e9
        guard value < 9.2e18 else { return .max }
        return value > -9.2e18 ? Int64(value) : .min
    }

    /// The request that the host describes; nil for a kind that is not known here.
    static func make(_ described: taskhost_request_t) -> BGTaskRequest? {
        let identifier = String(described.identifier)
        let request: BGTaskRequest
        func has(_ flag: UInt32) -> Bool { described.flags & flag != 0 }
        switch described.kind {
        case TASKHOST_KIND_APP_REFRESH: request = BGAppRefreshTaskRequest(identifier: identifier)
        case TASKHOST_KIND_PROCESSING, TASKHOST_KIND_HEALTH_RESEARCH:
            let processing =
                described.kind == TASKHOST_KIND_PROCESSING
                ? BGProcessingTaskRequest(identifier: identifier)
                : BGHealthResearchTaskRequest(identifier: identifier)
            processing.requiresNetworkConnectivity = has(TASKHOST_REQUEST_NEEDS_NETWORK)
            processing.requiresExternalPower = has(TASKHOST_REQUEST_NEEDS_POWER)
            request = processing
        case TASKHOST_KIND_CONTINUED_PROCESSING:
            let continued = BGContinuedProcessingTaskRequest(
                identifier: identifier, title: String(described.title), subtitle: String(described.subtitle))
            continued.strategy = has(TASKHOST_REQUEST_FAILS_AT_ONCE) ? .fail : .queue
            continued.requiredResources = .init(rawValue: Int(described.resources))
            request = continued
        default: return nil
        }
        if has(TASKHOST_REQUEST_HAS_EARLIEST) {
            request.earliestBeginDate = Date(timeIntervalSince1970: Double(described.earliest) / 1e9)
        }
        return request
    }
}
