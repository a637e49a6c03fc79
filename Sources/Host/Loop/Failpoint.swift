import Glibc

/// Named points of the loop at which a test lets the host die, to prove that nothing is lost. In debug builds only:
/// `TASKHOST_FAILPOINT=name` or `name:count` ends the process at the count-th passage as `kill -9` would.
enum Failpoint {
    #if DEBUG
    nonisolated(unsafe) private static var left: Int = {  // loop thread only
        guard let text = getenv("TASKHOST_FAILPOINT").map({ String(cString: $0) }) else { return 0 }
        return text.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 1
    }()
    private static let name: String? = getenv("TASKHOST_FAILPOINT").flatMap {
        String(cString: $0).split(separator: ":").first.map(String.init)
    }
    #endif

    @inline(__always)
    static func pass(_ point: StaticString) {
        #if DEBUG
        guard let name, "\(point)" == name else { return }
        left -= 1
        if left == 0 { kill(getpid(), SIGKILL) }
        #endif
    }
}
