import Foundation

/// The smallest handler that really uses Foundation.
@c(bench_foundation) public func foundation(_ task: UnsafeMutablePointer<taskhost_task_t>) {
    let encoded = Data("taskhost".utf8).base64EncodedString()
    _ = taskhost_complete(task, encoded == "dGFza2hvc3Q=" ? 1 : 0)
}
