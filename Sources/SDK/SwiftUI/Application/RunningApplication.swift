internal import BackgroundTasks
internal import Synchronization
internal import TaskHostExtensions
internal import TaskHostRuntime

/// The application of this process: evaluates its scenes, and calls what they declare.
@MainActor final class RunningApplication {
    private let evaluate: (inout Declarations) -> Void
    /// The delegate that the application has declared, or one that does nothing.
    let delegate: any UIApplicationDelegate
    private var values: [String: Declarations.Watched] = [:]
    private var storages: [String: [any Storage]] = [:]
    private let actions = Mutex<[BackgroundAction]>([])
    private let isAwaited = Mutex(false)

    init<Application: App>(_ application: Application) {
        ApplicationEnvironment.set(.background)
        evaluate = { declarations in
            declarations.keep(application)
            declarations.visit(application.body, at: "\(Application.self)")
        }
        let declared = Mirror(reflecting: application).children.lazy.compactMap { $0.value as? any DelegateAdaptor }
        delegate = declared.first?.made ?? DefaultDelegate()
    }

    /// Evaluates the scenes for the first time, and registers their background tasks.
    func declare() {
        update()
        let identifiers = actions.withLock { $0.compactMap(\.identifier) }
        for (index, identifier) in identifiers.enumerated() where !identifiers[..<index].contains(identifier) {
            let isPermitted = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier) { [weak self] _ in
                await self?.run { $0.identifier == identifier ? identifier : nil }
            }
            guard !isPermitted else { continue }
            Diagnostic.write(
                "the background task \(identifier) of a scene is not registered; add it to the manifest's tasks")
        }
    }

    /// The application has entered a phase.
    func enter(_ phase: ScenePhase) {
        ApplicationEnvironment.set(phase)
        update()
    }

    /// Runs the scenes' actions for a background session.
    /// - Returns: false when no scene has one.
    func handle(_ session: String, _ done: @escaping () -> Void) -> Bool {
        guard actions.withLock({ $0.contains { $0.handles(session) } }) else { return false }
        Task.immediate {
            await run { $0.handles(session) ? session : nil }
            done()
        }
        return true
    }

    /// Runs all actions at once for which `request` is not nil, and returns when they have.
    nonisolated private func run(_ request: @Sendable (BackgroundAction) -> String?) async {
        let wanted = actions.withLock { actions in
            actions.compactMap { action in request(action).map { (action, $0) } }
        }
        await withTaskGroup(of: Void.self) { group in
            for (action, request) in wanted { group.addTask { await action.run(request) } }
        }
    }

    /// Evaluates the scenes, and calls the actions of values that have changed.
    private func update() {
        var declarations = Declarations(earlier: storages) { [weak self] in self?.updateSoon() }
        withObservationTracking {
            evaluate(&declarations)
        } onChange: { [weak self] in
            self?.updateSoon()
        }
        storages = declarations.storages
        actions.withLock { $0 = declarations.actions }
        let old = values
        values = Dictionary(
            declarations.watched.enumerated().map { ("\($1.place) \($0)", $1.value) }, uniquingKeysWith: { $1 })
        for (index, entry) in declarations.watched.enumerated() {
            if let before = old["\(entry.place) \(index)"] {
                entry.value.changed(before.value)
            } else if entry.value.isCalledAtFirst {
                entry.value.first()
            }
        }
    }

    /// Data of the application change, on any thread: evaluates the scenes after that, once.
    nonisolated private func updateSoon() {
        let isFirst = isAwaited.withLock { isAwaited in
            defer { isAwaited = true }
            return !isAwaited
        }
        guard isFirst else { return }
        DispatchQueue.main.async { [self] in
            isAwaited.withLock { $0 = false }
            MainActor.assumeIsolated { update() }
        }
    }
}
