// The two listings "Background Processing Tasks" and "Background App Refresh Tasks" of the article that taskhost's Swift
// modules were written for, as one application. Their code and comments stand as published; what differs is marked
// `Changed`. The placeholder lines `...` are left out: they are no Swift.
import BackgroundTasks
import UIKit

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    // The line of the listing, which is longer than ours may be.
    // swift-format-ignore
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        // Override point for customization after application launch.

        // 第一引数: Info.plistで定義したIdentifierを指定
        // 第二引数: タスクを実行するキューを指定。nilの場合は、デフォルトのバックグラウンドキューが利用されます。
        // 第三引数: 実行する処理
        // Changed: the listing says "com.MeasurementSample.refresh" here too. One identifier has one handler, and the
        // article's own debugger commands call this task "com.MeasurementSample.process".
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.MeasurementSample.process", using: nil) { task in
            // バックグラウンド処理したい内容 ※後述します
            self.handleAppProcessing(task: task as! BGProcessingTask)
        }

        // Changed: the second listing has an AppDelegate of its own; a module holds one. Its registration follows here.
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.MeasurementSample.refresh", using: nil) { task in
            // バックグラウンド処理したい内容 ※後述します
            self.handleAppRefresh(task: task as! BGAppRefreshTask)
        }
        return true
    }

    // Changed: the article shows the functions that follow outside of the class; a private function that calls another
    // one by name, and a delegate's method, are members.
    private func scheduleAppProcessing() {
        // Info.plistで定義したIdentifierを指定
        // Changed: "com.MeasurementSample.refresh" in the listing, see above.
        let request = BGProcessingTaskRequest(identifier: "com.MeasurementSample.process")
        // 通信が発生するか否かを指定
        request.requiresNetworkConnectivity = false
        // CPU監視の必要可否を設定
        request.requiresExternalPower = true

        do {
            // スケジューラーに実行リクエストを登録
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule app processing: \(error)")
        }
    }

    private func scheduleAppRefresh() {
        // Info.plistで定義したIdentifierを指定
        let request = BGAppRefreshTaskRequest(identifier: "com.MeasurementSample.refresh")
        // 最低で、どの程度の期間を置いてから実行するか指定
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)

        do {
            // スケジューラーに実行リクエストを登録
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule app refresh: \(error)")
        }
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        // バックグラウンド起動に移ったときにルケジューリング登録
        scheduleAppProcessing()
        // Changed: this method of the second listing has the one line below; a class has the method once.
        scheduleAppRefresh()
    }

    private func handleAppProcessing(task: BGProcessingTask) {
        // 1日の間、何度も実行したい場合は、1回実行するごとに新たにスケジューリングに登録します
        // Changed: the listing calls scheduleAppRefresh(), which it does not define.
        scheduleAppProcessing()

        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1

        // 時間内に実行完了しなかった場合は、処理を解放します
        // バックグラウンドで実行する処理は、次回に回しても問題ない処理のはずなので、これでOK
        task.expirationHandler = {
            queue.cancelAllOperations()
        }

        // サンプルの処理をキューに詰めます
        let array = [1, 2, 3, 4, 5]
        array.enumerated().forEach { arg in
            let (offset, value) = arg
            let operation = PrintOperation(id: value)
            if offset == array.count - 1 {
                operation.completionBlock = {
                    // 最後の処理が完了したら、必ず完了したことを伝える必要があります
                    task.setTaskCompleted(success: operation.isFinished)
                }
            }
            queue.addOperation(operation)
        }
    }

    private func handleAppRefresh(task: BGAppRefreshTask) {
        // 1日の間、何度も実行したい場合は、1回実行するごとに新たにスケジューリングに登録します
        scheduleAppRefresh()

        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1

        // 時間内に実行完了しなかった場合は、処理を解放します
        // バックグラウンドで実行する処理は、次回に回しても問題ない処理のはずなので、これでOK
        task.expirationHandler = {
            queue.cancelAllOperations()
        }

        // サンプルの処理をキューに詰めます
        let array = [1, 2, 3, 4, 5]
        array.enumerated().forEach { arg in
            let (offset, value) = arg
            let operation = PrintOperation(id: value)
            if offset == array.count - 1 {
                operation.completionBlock = {
                    // 最後の処理が完了したら、必ず完了したことを伝える必要があります
                    task.setTaskCompleted(success: operation.isFinished)
                }
            }
            queue.addOperation(operation)
        }
    }
}
