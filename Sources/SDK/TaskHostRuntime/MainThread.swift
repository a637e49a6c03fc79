import Dispatch
import Foundation

/// The thread that UIKit calls an application on.
package enum MainThread {
    /// Runs `body` on the main thread, and returns when it has returned. Waits while the main thread is busy: never to be
    /// called under a lock.
    package static func run<Result>(_ body: () -> Result) -> Result {
        Thread.isMainThread ? body() : DispatchQueue.main.sync(execute: body)
    }
}
