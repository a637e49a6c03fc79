import BackgroundTasks
import UIKit

@available(iOS 26.0, *)
@MainActor
final class Exporter {
    private static let prefix = "com.example.app.export."

    func export(_ pages: [String]) throws {
        let identifier = Self.prefix + UUID().uuidString
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
            guard let task = task as? BGContinuedProcessingTask else { return }
            var expired = false
            task.expirationHandler = { expired = true }
            task.progress.totalUnitCount = Int64(pages.count)
            for (index, page) in pages.enumerated() where !expired {
                task.progress.completedUnitCount += 1
                task.updateTitle(task.title, subtitle: "Page \(index + 1): \(page)")
            }
            task.setTaskCompleted(success: !expired)
        }
        let request = BGContinuedProcessingTaskRequest(identifier: identifier, title: "Export", subtitle: "Preparing")
        request.strategy = .fail
        if BGTaskScheduler.supportedResources.contains(.gpu) { request.requiredResources = .gpu }
        try BGTaskScheduler.shared.submit(request)
    }
}

func startExport() {
    if #available(iOS 26.0, *) {
        Task { @MainActor in
            do { try Exporter().export(["a", "b"]) } catch BGTaskScheduler.Error.immediateRunIneligible {
                print("busy")
            } catch { print(error) }
        }
    }
}
