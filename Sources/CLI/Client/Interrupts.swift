import Linux

/// Ctrl-C and SIGTERM as descriptors to wait for together with a host's events. For the rest of the program.
final class Interrupts {
    /// nil when no descriptor is left: then the signals end the program as usual.
    private let signals: SignalQueue? = try? SignalQueue([.SIGINT, .SIGTERM])

    /// What to wait for.
    var inputs: [Int32] {
        switch signals {
        case .some(let signals): [signals.descriptor.number]
        case .none: []
        }
    }

    /// How many came since the last call.
    func count() -> Int {
        var count = 0
        while signals?.next() != nil { count += 1 }
        return count
    }
}
