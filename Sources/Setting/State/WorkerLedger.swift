import Linux

/// The workers of a host without control groups, in a file of its state folder: when the host and its zygotes are
/// killed together, the next host finds the remaining processes of their workers through it.
///
/// A line for each live worker, at its own place; never synced, because no process survives the machine.
package final class WorkerLedger {
    static let fileName = "workers"

    /// A worker, which leads a session with its number. Processes of programs may leave that; handlers in libraries may not.
    struct Entry: Equatable {
        var pid: Int32
        /// When it began (`ProcessStatus.start`).
        var start: UInt64
        /// Its user, once it is confined.
        var user: UInt32
    }

    private static let headerLength = 128
    private static let lineLength = 64
    private static let mostBytes = 1 << 20

    private let file: Descriptor

    init(_ file: consuming Descriptor) { self.file = file }

    /// Notes a worker that was just launched, unless it has ended already.
    ///
    /// - Parameter place: a number that no other live worker has.
    package func note(_ pid: Int32, user: UInt32, in place: UInt32) {
        guard let status = ProcessStatus(of: pid) else { return }
        write("\(pid) \(status.start) \(user == 0 ? ThisProcess.user : user)", at: place)
    }

    package func forget(_ place: UInt32) {
        guard noted.contains(place) else { return }
        write("", at: place)
        noted.remove(place)
    }

    private var noted: Set<UInt32> = []

    private func write(_ text: String, at place: UInt32) {
        let offset = Self.headerLength + Int(place) * Self.lineLength
        guard offset < Self.mostBytes else { return }
        noted.insert(place)
        put(text, Self.lineLength, at: offset)
    }

    /// What cannot be written is not found later: no reason to run nothing now.
    private func put(_ text: String, _ length: Int, at offset: Int) {
        var line = Array(text.utf8.prefix(length - 1))
        line += Array(repeating: UInt8(ascii: " "), count: length - 1 - line.count) + [UInt8(ascii: "\n")]
        _ = try? file.write(line, at: Int64(offset))
    }

    /// The last host's entries, if they are from this boot of the machine; then the file belongs to this host.
    func takeOver() -> [Entry] {
        let world = Self.world
        let text = (try? FileSystem.read(file, limit: Self.mostBytes, naming: Self.fileName)) ?? []
        let entries = Self.entries(in: String(decoding: text, as: UTF8.self), world: world)
        try? file.setLength(0)
        put(world, Self.headerLength, at: 0)
        return entries
    }

    /// - Parameter world: the boot and the process numbering that the entries must match.
    static func entries(in text: String, world: String) -> [Entry] {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard let first = lines.first, first.joined(separator: " ") == world else { return [] }
        return lines.dropFirst().compactMap { words in
            guard words.count == 3, let pid = Int32(words[0]), pid > 1, let start = UInt64(words[1]),
                let user = UInt32(words[2])
            else { return nil }
            return Entry(pid: pid, start: start, user: user)
        }
    }

    private static var world: String {
        let boot = (try? FileText.read("/proc/sys/kernel/random/boot_id")) ?? ""
        let numbering = (try? FileSystem.followedFacts(of: "/proc/self/ns/pid").inode) ?? 0
        return "\(boot.filter { !$0.isWhitespace }) \(numbering)"
    }
}
