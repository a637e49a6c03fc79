import Linux

/// One process of `taskhost-transfer`.
final class TransferChild {
    var pid: Int32 { child.pid }
    /// Readable once it has ended (pidfd).
    var end: Int32 { child.handle.descriptor.number }
    /// The conversation; nil after `hangUp`.
    private(set) var socket: Descriptor?
    private let child: ChildProcess
    let socketTag: UInt32
    let endTag: UInt32

    /// Starts it with a clean environment and one descriptor.
    ///
    /// - Parameter number: distinguishes its tags from those of others.
    init(executable: String, user: UInt32, number: UInt32) throws(SystemError) {
        var ends = try DescriptorPair.sockets()
        let theirs = ends.takeFar()
        child = try ChildProcess(
            executable, ["taskhost-transfer", "\(user)"],
            environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"], descriptors: [theirs.number])
        socket = ends.takeNear()
        socketTag = number &* 2
        endTag = number &* 2 &+ 1
    }

    /// It ends when it sees this.
    func hangUp() { socket = nil }

    func kill() { child.kill() }

    /// Sends as much as the socket takes at present.
    func send(_ outbox: inout TransferOutbox) throws(SystemError) {
        switch socket {
        case .some(let socket): try outbox.flush(to: socket)
        case .none: outbox.clear()
        }
    }

    /// As `Descriptor.receive`; 0 also after `hangUp`.
    func receive(into room: inout [UInt8]) throws(SystemError) -> Int {
        switch socket {
        case .some(let socket): try socket.receive(into: &room)
        case .none: 0
        }
    }

    /// Reaps it, once `end` is readable. Returns how it ended, for display.
    func reap() -> String {
        guard let end = child.wait() else { return "it ended" }
        return end.signal.map { "signal \($0.rawValue) ended it" } ?? "it left with status \(end.status)"
    }
}
