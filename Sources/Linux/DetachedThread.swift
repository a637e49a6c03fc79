import Glibc

/// Threads that are never joined.
package enum DetachedThread {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// False when the kernel gives no further thread (`RLIMIT_NPROC`, pids cgroup).
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let start = unsafe Unmanaged.passRetained(Start(body))
        let failed = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, unsafe start.toOpaque())
        guard failed == 0 else {
            unsafe start.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
