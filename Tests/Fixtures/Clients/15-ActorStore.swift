@preconcurrency import BackgroundTasks
import Foundation

actor Store {
    private(set) var items: [Int] = []
    func add(_ item: Int) { items.append(item) }
}

struct Maintenance: Sendable {
    let store = Store()

    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.maintenance", using: nil) { task in
            let work = Task { await run(task) }
            task.expirationHandler = { work.cancel() }
        }
    }

    @concurrent
    func run(_ task: BGTask) async {
        await withTaskCancellationHandler {
            for item in 0..<3 where !Task.isCancelled { await store.add(item) }
            task.setTaskCompleted(success: !Task.isCancelled)
        } onCancel: {
            print("cancelled")
        }
    }
}
