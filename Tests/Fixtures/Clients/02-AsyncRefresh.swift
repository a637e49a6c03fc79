import BackgroundTasks

final class RefreshService: Sendable {
    static let identifier = "com.example.refresh"

    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.identifier, using: nil) { task in
            guard let task = task as? BGAppRefreshTask else { return }
            self.handle(task)
        }
    }

    private func handle(_ task: BGAppRefreshTask) {
        schedule()
        let work = Task {
            do {
                try await self.refresh()
                task.setTaskCompleted(success: true)
            } catch {
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { work.cancel() }
    }

    private func refresh() async throws {
        let (data, _) = try await URLSession.shared.data(from: URL(string: "https://example.com/feed")!)
        print(data.count)
    }

    func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: Self.identifier)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        try? BGTaskScheduler.shared.submit(request)
    }
}
