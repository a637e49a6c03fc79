import BackgroundTasks
import UIKit

/// As 05-Protocols, in the language mode 6: the handlers of other threads are Sendable.
protocol PendingRequests: AnyObject {
    func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void)
    func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
}

extension BGTaskScheduler: PendingRequests {}

@MainActor
final class SchedulingModel {
    private let scheduler: any PendingRequests
    private(set) var pending: [String] = []
    private(set) var isAllowed = false

    init(scheduler: any PendingRequests = BGTaskScheduler.shared) { self.scheduler = scheduler }

    func load() {
        scheduler.getPendingTaskRequests { requests in
            let names = requests.map(\.identifier)
            DispatchQueue.main.async { self.pending = names }
        }
        UNUserNotificationCenter.current().getNotificationSettings { settings in
            let isAllowed = settings.authorizationStatus == .authorized
            Task { @MainActor in self.isAllowed = isAllowed }
        }
    }

    func submit(_ identifier: String) {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        scheduler.submitTaskRequest(request) { error in
            if let error { print("Could not schedule \(identifier): \(error)") }
        }
    }
}
