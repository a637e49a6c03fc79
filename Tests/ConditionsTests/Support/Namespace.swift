import Glibc
import TestSupport

/// Runs a body on a thread in new namespaces, of the network or others, and waits for its end. Programs that it starts
/// live in them too.
enum Namespace {
    /// CLONE_NEWNET of clone(2).
    static let network: Int32 = 0x4000_0000

    /// - Throws: what `body` threw, or a `Problem` where the machine forbids namespaces.
    static func run(_ flags: Int32, _ body: @escaping () throws -> Void) throws {
        final class Work {
            let flags: Int32
            let body: () throws -> Void
            var failure: (any Error)?
            init(_ flags: Int32, _ body: @escaping () throws -> Void) {
                self.flags = flags
                self.body = body
            }
        }
        let work = Work(flags, body)
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue()
                do {
                    guard Namespace.unshare(work.flags) == 0 else {
                        throw Problem("unshare: \(String(cString: strerror(errno)))")
                    }
                    try work.body()
                } catch { work.failure = error }
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
        guard started == 0 else { throw Problem("pthread_create: \(started)") }
        pthread_join(thread, nil)
        try withExtendedLifetime(work) { if let failure = work.failure { throw failure } }
    }

    /// unshare(2); Glibc's module shows it only under _GNU_SOURCE.
    private static func unshare(_ flags: Int32) -> Int32 {
        guard let symbol = dlsym(nil, "unshare") else { return -1 }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(flags)
    }
}
