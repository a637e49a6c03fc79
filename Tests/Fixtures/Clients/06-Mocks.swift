import BackgroundTasks
import Foundation

class MockTask: BGAppRefreshTask, @unchecked Sendable {
    private let name: String
    private(set) var completions: [Bool] = []
    private var handler: (() -> Void)?

    init(identifier: String) {
        name = identifier
        super.init()
    }

    override var identifier: String { name }
    override var expirationHandler: (() -> Void)? {
        get { handler }
        set { handler = newValue }
    }
    override func setTaskCompleted(success: Bool) { completions.append(success) }
}

class PlainMock: BGTask, @unchecked Sendable {
    init(_ unused: String? = nil) {}
    override var identifier: String { "plain" }
}

class MockScheduler: BGTaskScheduler, @unchecked Sendable {
    var submitted: [BGTaskRequest] = []
    override func submit(_ taskRequest: BGTaskRequest) throws { submitted.append(taskRequest) }
    override func cancelAllTaskRequests() { submitted.removeAll() }
}

func exercise() throws -> Bool {
    let scheduler: BGTaskScheduler = MockScheduler()
    try scheduler.submit(BGAppRefreshTaskRequest(identifier: "x"))
    let task = MockTask(identifier: "x")
    task.expirationHandler = { task.setTaskCompleted(success: false) }
    task.expirationHandler?()
    return task.completions == [false] && PlainMock().identifier == "plain"
}
