import BackgroundTasks
import UIKit

@MainActor
final class Lifecycle {
    private var observation: Task<Void, Never>?
    private(set) var count = 0

    func start() {
        observation = Task { [weak self] in
            let center = NotificationCenter.default
            for await notification in center.notifications(named: UIApplication.didEnterBackgroundNotification) {
                guard let self, notification.object is UIApplication else { return }
                self.count += 1
                let request = BGProcessingTaskRequest(identifier: "org.example.tidy")
                request.requiresExternalPower = true
                try? BGTaskScheduler.shared.submit(request)
            }
        }
    }

    func stop() { observation?.cancel() }
}

actor Names {
    private var names: [Notification.Name] = []

    func collect(_ name: Notification.Name) async {
        for await found in NotificationCenter.default.notifications(named: name).map(\.name).prefix(2) {
            names.append(found)
        }
    }
}
