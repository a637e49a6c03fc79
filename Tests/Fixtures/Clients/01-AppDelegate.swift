// Fails in mode 6: 'UIApplicationMain' is deprecated
import BackgroundTasks
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.clean", using: nil) { task in
            self.clean(task: task as! BGProcessingTask)
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        let request = BGProcessingTaskRequest(identifier: "com.example.clean")
        request.requiresNetworkConnectivity = false
        request.requiresExternalPower = true
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule: \(error)")
        }
    }

    private func clean(task: BGProcessingTask) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let last = BlockOperation { print("cleaned") }
        task.expirationHandler = { queue.cancelAllOperations() }
        last.completionBlock = { task.setTaskCompleted(success: !last.isCancelled) }
        queue.addOperations([BlockOperation {}, last], waitUntilFinished: false)
    }
}
