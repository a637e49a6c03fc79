/// A kind of background task that a scene can have an action for.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
    /// The identifier of the refresh; nil for sessions.
    let identifier: String?
    /// Whether the task is about a background session with this identifier.
    let matches: @Sendable (String) -> Bool
    /// What the action gets.
    let request: @Sendable (String) -> Request
}

extension BackgroundTask where Request == Void, Response == Void {
    /// A task of the application that `BGTaskScheduler` runs.
    /// - Parameter identifier: one of the manifest's tasks.
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(identifier: identifier, matches: { _ in false }, request: { _ in })
    }

    /// A task of the application that `BGTaskScheduler` runs.
    /// - Parameter identifier: one of the manifest's tasks.
    public static func processingTask(_ identifier: String) -> BackgroundTask<Void, Void> { appRefresh(identifier) }

    /// The events of a background session.
    /// - Parameter identifier: the session's.
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(identifier: nil, matches: { $0 == identifier }, request: { _ in })
    }
}

extension BackgroundTask where Request == String, Response == Void {
    /// The events of background sessions. The action gets the session's identifier.
    /// - Parameter matching: whether a session with this identifier is meant.
    public static func urlSession(
        matching: @escaping @Sendable (String) -> Bool
    ) -> BackgroundTask<String, Void> {
        BackgroundTask(identifier: nil, matches: matching, request: { $0 })
    }

    /// The events of all background sessions. The action gets the session's identifier.
    public static var urlSession: BackgroundTask<String, Void> { urlSession { _ in true } }
}

/// A background task of a scene with its action.
struct BackgroundAction: Sendable {
    let identifier: String?
    let handles: @Sendable (_ session: String) -> Bool
    let run: @Sendable (_ request: String) async -> Void

    init<Request: Sendable, Response: Sendable>(
        _ task: BackgroundTask<Request, Response>, _ action: @escaping @Sendable (Request) async -> Response
    ) {
        identifier = task.identifier
        handles = task.matches
        run = { _ = await action(task.request($0)) }
    }
}

extension Scene {
    /// Runs an action for a background task. All are registered at launch. The task is completed with success when the
    /// action returns, and the Swift task that runs it is cancelled when the time is up. For sessions, the completion handler
    /// is called when it returns, nothing is cancelled, and the delegate's method is not called; the action has 30 seconds.
    /// Several actions for the same task run at the same time.
    /// - Parameters:
    ///   - task: the kind of task.
    ///   - action: the work.
    public func backgroundTask<Request: Sendable, Response: Sendable>(
        _ task: BackgroundTask<Request, Response>, action: @escaping @Sendable (Request) async -> Response
    ) -> some Scene {
        DeclaringScene(content: self) { $0.actions.append(BackgroundAction(task, action)) }
    }
}

/// A scene with something that it declares.
struct DeclaringScene<Content: Scene>: PrimitiveScene {
    typealias Body = Never
    let content: Content
    let declaration: (inout Declarations) -> Void

    func declare(to declarations: inout Declarations) {
        declarations.visit(content, at: "content")
        declaration(&declarations)
    }
}
