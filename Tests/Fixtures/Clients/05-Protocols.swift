// Fails in mode 6: sendability of function types in instance method 'getPendingTaskRequests(completionHandler:)' does not match
import BackgroundTasks

protocol TaskScheduling: AnyObject {
    @discardableResult
    func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool
    func submit(_ taskRequest: BGTaskRequest) throws
    func cancel(taskRequestWithIdentifier identifier: String)
    func cancelAllTaskRequests()
    func getPendingTaskRequests(completionHandler: @escaping ([BGTaskRequest]) -> Void)
}

extension BGTaskScheduler: TaskScheduling {}

protocol RunnableTask: Sendable {
    var identifier: String { get }
    var expirationHandler: (() -> Void)? { get nonmutating set }
    func setTaskCompleted(success: Bool)
}

extension BGTask: RunnableTask {}

final class Scheduler {
    private let scheduler: any TaskScheduling
    init(scheduler: any TaskScheduling = BGTaskScheduler.shared) { self.scheduler = scheduler }

    func start(_ handler: @escaping (any RunnableTask) -> Void) {
        scheduler.register(forTaskWithIdentifier: "com.example.a", using: .global()) { handler($0) }
        scheduler.getPendingTaskRequests { print($0.map(\.identifier)) }
    }
}
