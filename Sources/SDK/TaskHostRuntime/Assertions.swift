import CTaskHost
import Synchronization

/// The background time that the application has asked for, by numbers of our own: unlike the address of an object, a number
/// may reach us late without harm.
package enum Assertions {
    private struct Entry: @unchecked Sendable {  // the closure is called once
        var assertion: UInt64
        let expired: () -> Void
    }
    private struct Table {
        var last = 0
        var open: [Int: Entry] = [:]
    }
    private static let table = Mutex(Table())

    /// Keeps the process from being ended for want of runs. In a process that is no worker nothing ends it.
    /// - Parameters:
    ///   - name: what the time is for.
    ///   - expired: called at most once, on a thread of the worker's own, when the time is about to end.
    /// - Returns: the number to end it by; nil when no background time is left.
    package static func begin(_ name: String, expired: @escaping () -> Void) -> Int? {
        let entry = Entry(assertion: 0, expired: expired)
        // The number comes first: the host may call within begin_assertion.
        let number = table.withLock { table in
            table.last += 1
            table.open[table.last] = entry
            return table.last
        }
        guard let lifecycle = ConnectedHost.current?.lifecycle else { return number }
        let assertion = lifecycle.pointee.begin_assertion(
            name, { Assertions.expire(Int(bitPattern: $0)) }, UnsafeMutableRawPointer(bitPattern: number))
        return table.withLock { table in
            if assertion == 0 { table.open[number] = nil }
            table.open[number]?.assertion = assertion
            return assertion == 0 ? nil : number
        }
    }

    private static func expire(_ number: Int) {
        table.withLock { $0.open[number] }?.expired()
    }

    /// False when the number is not, or no longer, one.
    package static func end(_ number: Int) -> Bool {
        guard let entry = table.withLock({ $0.open.removeValue(forKey: number) }) else { return false }
        if entry.assertion != 0 { _ = ConnectedHost.current?.lifecycle?.pointee.end_assertion(entry.assertion) }
        return true
    }

    /// Whether it has not ended.
    package static func isOpen(_ number: Int) -> Bool { table.withLock { $0.open[number] != nil } }
}
