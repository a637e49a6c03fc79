package import CTaskHost
internal import TaskHostRuntime

/// Operations of the scheduler on requests.
package enum Submission {
    /// The longest sentence of the host that is kept, in bytes.
    private static let longestReason = 512

    /// The checks are in the framework's order: the manifest's permission, then the handler, then the rest.
    static func submit(_ request: BGTaskRequest) throws {
        let identifier = request.identifier
        guard let host = ConnectedHost.current else {
            throw BGTaskScheduler.Error(.unavailable, sentence: ConnectedHost.missing)
        }
        guard let scheduling = unsafe host.scheduling else {
            throw BGTaskScheduler.Error(
                .unavailable,
                sentence: "this host keeps no requests; run the application under `taskhost serve`")
        }
        guard request.kind != 0 else {
            throw BGTaskScheduler.Error(
                .notPermitted,
                sentence: "\(type(of: request)) is not a kind of request; make a BGAppRefreshTaskRequest, "
                    + "BGProcessingTaskRequest, BGHealthResearchTaskRequest or BGContinuedProcessingTaskRequest")
        }
        // A request that the manifest did not permit at launch is sent to the host anyway, which records refusals.
        guard Permitted.kind(of: identifier) != nil else { return try unsafe ask(scheduling, request) }
        guard LaunchHandlers.prepare(identifier) else {
            Misuse.found(
                "No launch handler registered for task with identifier \(identifier)",
                advice:
                    "call register(forTaskWithIdentifier: \"\(identifier)\", …) before the application has finished "
                    + "launching")
            throw BGTaskScheduler.Error(
                .notPermitted, sentence: "no launch handler is registered for \(identifier); register one at launch")
        }
        if let continued = request as? BGContinuedProcessingTaskRequest { LaunchHandlers.remember(continued) }
        try unsafe ask(scheduling, request)
    }

    /// Reports, under the rules of iOS 27, that a request is submitted on the main thread.
    static func noteMainThread(_ request: BGTaskRequest) {
        guard Thread.isMainThread, let host = ConnectedHost.current, host.sdk >= 27 else { return }
        Diagnostic.write(
            "submitTaskRequest was called on the main thread, for \(request.identifier); it may take as long as a write to "
                + "the disk: call it on another queue, or with await in a task that is not the main actor's")
    }

    private static func ask(_ scheduling: UnsafePointer<taskhost_scheduling_t>, _ request: BGTaskRequest) throws {
        var reason = [CChar](repeating: 0, count: longestReason)
        let status = unsafe reason.withUnsafeMutableBufferPointer { reason in
            unsafe request.withHostRequest {
                unsafe scheduling.pointee.submit($0, reason.baseAddress, UInt64(reason.count))
            }
        }
        guard status != TASKHOST_OK else { return }
        let sentence = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw BGTaskScheduler.Error(
            BGTaskScheduler.Error.Code(rawValue: Int(status)) ?? .unavailable,
            sentence: sentence.isEmpty ? "the host gave code \(status)" : sentence)
    }

    static func pending() -> [BGTaskRequest] {
        unsafe ConnectedHost.current?.scheduling.map { unsafe pending(of: $0) } ?? []
    }

    /// Copies of the requests that are pending, by a host's own table.
    package static func pending(of scheduling: UnsafePointer<taskhost_scheduling_t>) -> [BGTaskRequest] {
        var requests: [BGTaskRequest] = []
        unsafe withUnsafeMutablePointer(to: &requests) { requests in
            unsafe scheduling.pointee.pending(
                { context, request in
                    guard let made = unsafe BGTaskRequest.make(request.pointee) else { return }
                    unsafe context?.assumingMemoryBound(to: [BGTaskRequest].self).pointee.append(made)
                }, unsafe requests)
        }
        return requests
    }
}

/// The manifest's permissions.
enum Permitted {
    /// The kind of an identifier, by its own entry or by a pattern `….*` of continued processing, which matches one
    /// further part. Nil when it is not permitted.
    static func kind(of identifier: String) -> UInt32? {
        guard let scheduling = unsafe ConnectedHost.current?.scheduling?.pointee else { return nil }
        let entries = unsafe UnsafeBufferPointer(start: scheduling.permitted, count: Int(scheduling.permitted_count))
        var byPattern: UInt32?
        for place in entries.indices {
            let entry = unsafe entries[place]
            let permitted = unsafe String(entry.identifier)
            if permitted == identifier { return unsafe entry.kind }
            if unsafe entry.kind == TASKHOST_KIND_CONTINUED_PROCESSING && matches(identifier, pattern: permitted) {
                byPattern = unsafe entry.kind
            }
        }
        return byPattern
    }

    /// Whether the identifier is the pattern, less its `*`, and one further part.
    static func matches(_ identifier: String, pattern: String) -> Bool {
        guard pattern.hasSuffix(".*") else { return false }
        let prefix = pattern.dropLast()
        guard identifier.hasPrefix(prefix) else { return false }
        let rest = identifier.dropFirst(prefix.count)
        return !rest.isEmpty && !rest.contains(".")
    }
}
