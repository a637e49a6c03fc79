import BackgroundTasks

func pendingIdentifiers() async -> Set<String> {
    await withCheckedContinuation { continuation in
        BGTaskScheduler.shared.getPendingTaskRequests { requests in
            continuation.resume(returning: Set(requests.map { $0.identifier }))
        }
    }
}

func rescheduleIfNeeded() async throws {
    let identifier = "com.example.refresh"
    guard await !pendingIdentifiers().contains(identifier) else { return }
    let request = BGAppRefreshTaskRequest(identifier: identifier)
    request.earliestBeginDate = Calendar.current.date(byAdding: .hour, value: 6, to: Date())
    try BGTaskScheduler.shared.submit(request)
}

func copyOf(_ request: BGTaskRequest) -> BGTaskRequest? { request.copy() as? BGTaskRequest }

func cancelEverything() {
    BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: "com.example.refresh")
    BGTaskScheduler.shared.cancelAllTaskRequests()
}
