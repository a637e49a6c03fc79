// The listings of the article on background tasks (Xamarin.iOS, "Backgrounding with Tasks") that begin and end background time,
// as one application. What each does, and its comments, are the article's; what had to change is marked `Changed`.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let work = Work()

    // Changed: the article names no place for its first listing, "anywhere in the application". Here: on a thread of its own,
    // whenever the application comes to the front.
    func applicationDidBecomeActive(_ application: UIApplication) {
        Thread { [work] in work.register() }.start()
    }

    override init() {
        super.init()
        work.note("launched")
    }

    // Performing tasks during DidEnterBackground
    func applicationDidEnterBackground(_ application: UIApplication) {
        let taskID = UIApplication.shared.beginBackgroundTask(expirationHandler: {})
        Thread { [work] in
            work.doWork()
            UIApplication.shared.endBackgroundTask(taskID)
        }.start()
        // Changed: the article's last listing starts its loop anywhere; time remaining counts in the background alone.
        work.startLoop()
    }
}
