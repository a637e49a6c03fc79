import CLinux

/// The two ends of something new, each for its owner.
package struct DescriptorPair: ~Copyable {
    private var first: Descriptor?
    private var second: Descriptor?

    /// A pipe: `near` is read, and never waits when asked so; `far` is written.
    package static func pipe(nonblocking: Bool = false) throws(SystemError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        try unsafe check(clinux_pipe(&ends, nonblocking ? 1 : 0), "pipe2")
        return DescriptorPair(ends)
    }

    /// Two sockets that keep messages apart and in order, with room for 1 MiB.
    package static func sockets() throws(SystemError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        try unsafe check(clinux_seqpacket_pair(&ends, 1 << 20), "socketpair")
        return DescriptorPair(ends)
    }

    private init(_ ends: [Int32]) {
        first = Descriptor(adopting: ends[0])
        second = Descriptor(adopting: ends[1])
    }

    /// Each can be taken once.
    package mutating func takeNear() -> Descriptor { Self.end(first.take()) }
    package mutating func takeFar() -> Descriptor { Self.end(second.take()) }

    private static func end(_ descriptor: consuming Descriptor?) -> Descriptor {
        guard let descriptor else { preconditionFailure("an end of a pair has one owner") }
        return descriptor
    }
}
