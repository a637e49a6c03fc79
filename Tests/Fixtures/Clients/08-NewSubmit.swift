import BackgroundTasks

struct Submitter {
    var scheduler: BGTaskScheduler = .shared

    func submit(_ identifier: String) async {
        let request = BGProcessingTaskRequest(identifier: identifier)
        if #available(iOS 27.0, *) {
            do {
                try await scheduler.submitTaskRequest(request)
            } catch let error as BGTaskScheduler.Error {
                switch error.code {
                case .immediateRunIneligible, .unavailable: print("later")
                default: print(error.localizedDescription)
                }
            } catch {
                print(error)
            }
        } else {
            try? scheduler.submit(request)
        }
    }

    func submitWithoutWaiting(_ request: BGTaskRequest) {
        scheduler.submitTaskRequest(request) { error in
            if let error { print(error) }
        }
        scheduler.submitTaskRequest(request) { _ in }
    }

    func pending() async -> [String] { await scheduler.pendingTaskRequests().map(\.identifier) }
}

extension BGTaskScheduler {
    func submit(request: BGTaskRequest) async throws {
        try await Task.detached { try BGTaskScheduler.shared.submit(request) }.value
    }
}
