import CTaskHost
import Synchronization

/// The application's assertions, by our own numbers: unlike an object's address, a late number is harmless.
package enum Assertions {
    private struct Entry: @unchecked Sendable {  // the closure is called once
        var assertion: UInt64
        let expired: (_ number: Int) -> Void
    }
    private struct Table {
        var last = 0
        var open: [Int: Entry] = [:]
    }
    private static let table = Mutex(Table())

    /// Keeps the process from being suspended or ended without runs. Outside of a worker nothing does that.
    /// - Parameters:
    ///   - name: its purpose; nil: the host names it after the calling code.
    ///   - begun: called with the number before the host can call for its end.
    ///   - expired: called with the number, at most once, on a thread of the worker's own, when the time is about to end. The
    ///     worker calls for the next one when it has returned.
    /// - Returns: the number to end it with; nil when no background time is left.
    package static func begin(
        _ name: String?, begun: (_ number: Int) -> Void = { _ in }, expired: @escaping (_ number: Int) -> Void
    ) -> Int? {
        let entry = Entry(assertion: 0, expired: expired)
        // The number comes first: the host may call within begin_assertion.
        let number = table.withLock { table in
            table.last += 1
            table.open[table.last] = entry
            return table.last
        }
        begun(number)
        guard let lifecycle = unsafe ConnectedHost.current?.lifecycle else { return number }
        let (function, context) = unsafe (
            lifecycle.pointee.begin_assertion, UnsafeMutableRawPointer(bitPattern: number)
        )
        let expire: taskhost_assertion_fn = { Assertions.expire(Int(bitPattern: $0)) }
        let assertion =
            if let name { unsafe name.withCString { unsafe function($0, expire, context) } } else {
                unsafe function(nil, expire, context)
            }
        guard assertion != 0 else {
            table.withLock { $0.open[number] = nil }
            return nil
        }
        let isOpen = table.withLock { table in
            table.open[number]?.assertion = assertion
            return table.open[number] != nil
        }
        // It was ended before the host's number for it was known.
        if !isOpen { _ = unsafe lifecycle.pointee.end_assertion(assertion) }
        return number
    }

    /// None is open any more; numbers are not used again.
    static func forget() { table.withLock { $0.open.removeAll() } }

    private static func expire(_ number: Int) {
        table.withLock { $0.open[number] }?.expired(number)
    }

    /// False when the number is not, or no longer, one.
    package static func end(_ number: Int) -> Bool {
        guard let entry = table.withLock({ $0.open.removeValue(forKey: number) }) else { return false }
        DefaultsDomains.flush()
        if entry.assertion != 0 { _ = unsafe ConnectedHost.current?.lifecycle?.pointee.end_assertion(entry.assertion) }
        return true
    }
}
