import Linux

/// Where the log goes. It never makes its writer wait.
package protocol LogSink: AnyObject {
    /// Writes entries in order, with one system call.
    ///
    /// - Returns: how many it has taken, from the first on. The others are lost.
    func write(_ entries: [[UInt8]]) -> Int
}

/// systemd's journal, by its native protocol: a datagram an entry. The name is looked up each time, so a journal that comes back
/// is found.
final class JournalSink: LogSink {
    private var socket: DatagramSocket?
    private let path: String

    init(path: String) { self.path = path }

    func write(_ entries: [[UInt8]]) -> Int {
        if socket == nil { socket = try? DatagramSocket() }
        let first = entries.prefix(DatagramSocket.mostAtOnce)
        let bytes = first.reduce(into: []) { $0 += $1 }
        return (try? socket?.send(bytes, lengths: first.map { UInt32($0.count) }, to: path)) ?? 0
    }
}

/// Lines on standard error. A line that was broken off is continued before the next one.
final class StreamSink: LogSink {
    private let stream = StandardErrorLog()
    /// The end of a line whose beginning was written.
    private var rest: [UInt8] = []

    func write(_ entries: [[UInt8]]) -> Int {
        let bytes = entries.reduce(into: rest) { $0 += $1 }
        var written = stream.write(bytes[...])
        guard written >= rest.count else {
            rest.removeFirst(written)
            return 0
        }
        written -= rest.count
        rest = []
        var taken = 0
        for entry in entries where written > 0 {
            taken += 1
            if written < entry.count { rest = Array(entry[written...]) }
            written -= min(written, entry.count)
        }
        return taken
    }
}
