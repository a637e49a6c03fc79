import Foundation
import Synchronization

/// What the application was called for, and what it did outside of runs: a line each in $STATE/trace.
enum Trace {
    private static let file = Mutex<Int32>(open(NSHomeDirectory() + "/trace", O_WRONLY | O_CREAT | O_APPEND, 0o600))

    static func note(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        file.withLock { _ = write($0, bytes, bytes.count) }
    }
}
