import Dispatch
import Foundation

/// The thread that UIKit calls an application on.
package enum MainThread {
    private static let key = DispatchSpecificKey<Void>()
    private static let marked: Void = DispatchQueue.main.setSpecific(key: key, value: ())

    /// Runs `body` on the main thread, and returns when it has returned. Waits while the main thread is busy: never to be
    /// called under a lock.
    package static func run<Result>(_ body: () -> Result) -> Result {
        _ = marked
        // A program with an asynchronous main() leaves the main queue to other threads.
        let isMain = Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil
        return isMain ? body() : DispatchQueue.main.sync(execute: body)
    }
}
