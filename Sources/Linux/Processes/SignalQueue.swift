import CLinux

/// Signals that wait in a queue in place of interrupting (signalfd(2)). Children inherit that they are blocked.
package struct SignalQueue: ~Copyable, Sendable {
    /// Readable when one has come.
    package let descriptor: Descriptor

    /// Blocks the signals in the calling thread and those that it starts.
    package init(_ signals: [Signal]) throws(SystemError) {
        let numbers = signals.map(\.rawValue)
        descriptor = unsafe Descriptor(adopting: try check(clinux_signalfd(numbers, Int32(numbers.count)), "signalfd"))
    }

    package var isWaiting: Bool { descriptor.isReady(.readable) }

    /// nil: there is none.
    package borrowing func next() -> Signal? {
        let number = clinux_signalfd_read(descriptor.number)
        return number > 0 ? Signal(rawValue: number) : nil
    }

    /// Drops what waits in one that is lent.
    package static func clear(_ number: Int32) { while clinux_signalfd_read(number) > 0 {} }
}
