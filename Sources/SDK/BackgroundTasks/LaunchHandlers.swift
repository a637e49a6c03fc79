internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// The launch handlers of this process, by identifier.
package enum LaunchHandlers {
    private struct Entry: @unchecked Sendable {  // the closure is called on `queue` only
        let queue: DispatchQueue
        let handler: (BGTask) -> Void
    }
    private struct Table {
        var entries: [String: Entry] = [:]
        /// Concrete identifiers that the host knows because a pattern's handler serves them.
        var prepared: Set<String> = []
        /// The last submitted texts for an identifier of continued processing.
        var titles: [String: (title: String, subtitle: String)] = [:]
    }
    private static let table = Mutex(Table())
    /// Titles of finished work are dropped beyond this many.
    private static let mostTitles = 256

    /// Nothing is registered any more.
    package static func forget() { table.withLock { $0 = Table() } }

    /// The queue on which the handler of an identifier is called; nil: there is none.
    package static func queue(of identifier: String) -> DispatchQueue? {
        table.withLock { entry(of: identifier, in: $0)?.queue }
    }

    // MARK: Registration

    static func register(
        _ identifier: String, queue: DispatchQueue?, _ handler: @escaping (BGTask) -> Void
    ) -> Bool {
        let host = ConnectedHost.current
        let kind = Permitted.kind(of: identifier)
        if unsafe host?.scheduling != nil && kind == nil { return false }
        let entry = Entry(
            queue: queue ?? DispatchQueue(label: "com.apple.BGTaskScheduler (\(identifier))"), handler: handler)
        let isFirst = table.withLock { table in
            guard table.entries[identifier] == nil else { return false }
            table.entries[identifier] = entry
            return true
        }
        guard isFirst else {
            guard host != nil else { return false }
            Misuse.found(
                "Launch handler for task with identifier \(identifier) has already been registered",
                advice: "register each identifier once; the first handler stays")
            return false
        }
        guard let host else { return true }
        if Application.hasLaunched && kind != TASKHOST_KIND_CONTINUED_PROCESSING {
            Misuse.found(
                "All launch handlers must be registered before application finishes launching",
                advice: "register \(identifier) in application(_:didFinishLaunchingWithOptions:) or in main()")
        }
        let status = tell(host, identifier)
        if status != TASKHOST_OK { _ = table.withLock { $0.entries.removeValue(forKey: identifier) } }
        return status == TASKHOST_OK
    }

    private static func tell(_ host: ConnectedHost, _ identifier: String) -> Int32 {
        if let scheduling = unsafe host.scheduling {
            return unsafe scheduling.pointee.register_handler(identifier, start)
        }
        return unsafe host.launch.pointee.register_handler(host.launch.pointee.registry, identifier, start)
    }

    /// Whether there is a handler for an identifier. The host is told about one that a pattern's handler serves.
    static func prepare(_ identifier: String) -> Bool {
        enum Found { case exact, pattern, none }
        let found: Found = table.withLock { table in
            if table.entries[identifier] != nil || table.prepared.contains(identifier) { return .exact }
            return entry(of: identifier, in: table) == nil ? .none : .pattern
        }
        switch found {
        case .exact: return true
        case .none: return false
        case .pattern:
            guard let host = ConnectedHost.current, tell(host, identifier) == TASKHOST_OK else { return false }
            _ = table.withLock { $0.prepared.insert(identifier) }
            return true
        }
    }

    private static func entry(of identifier: String, in table: Table) -> Entry? {
        if let exact = table.entries[identifier] { return exact }
        return table.entries.first { Permitted.matches(identifier, pattern: $0.key) }?.value
    }

    /// Stores the texts for the task of this request.
    static func remember(_ request: BGContinuedProcessingTaskRequest) {
        table.withLock { table in
            if table.titles.count >= mostTitles { table.titles.removeAll() }
            table.titles[request.identifier] = (request.title, request.subtitle)
        }
    }

    // MARK: Runs

    /// The host's call for every run, on a thread of its own.
    private static let start: taskhost_handler_fn = { unsafe launch($0) }

    private static func launch(_ task: UnsafeMutablePointer<taskhost_task_t>) {
        let run = unsafe RunReference(retaining: task)
        let kind = unsafe task.pointee.kind
        let identifier = run.identifier
        guard let entry = table.withLock({ Self.entry(of: identifier, in: $0) }) else {
            Misuse.found(
                "No launch handler registered for task with identifier \(run.identifier)",
                advice: "register it before the application has finished launching")
            _ = run.complete(success: false)
            return
        }
        let titles = table.withLock { $0.titles.removeValue(forKey: identifier) }
        Application.afterChanges {
            let work = TaskWork(run, queue: entry.queue)
            entry.queue.async {
                let task = make(kind, work, titles)
                run.working { entry.handler(task) }
            }
        }
    }

    private static func make(
        _ kind: UInt32, _ work: TaskWork, _ titles: (title: String, subtitle: String)?
    ) -> BGTask {
        switch kind {
        case TASKHOST_KIND_APP_REFRESH: BGAppRefreshTask(work)
        case TASKHOST_KIND_CONTINUED_PROCESSING:
            BGContinuedProcessingTask(work, title: titles?.title ?? "", subtitle: titles?.subtitle ?? "")
        case TASKHOST_KIND_HEALTH_RESEARCH: BGHealthResearchTask(work)
        default: BGProcessingTask(work)
        }
    }
}
