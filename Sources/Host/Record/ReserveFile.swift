import Linux

/// Disk space that the host reserves: a file without content of value, whose blocks are released when the record finds the
/// disk full.
final class ReserveFile {
    /// Enough for thousands of turns, because writes on a full disk mostly reuse pages.
    static let size = 8 << 20
    /// How much is released at a time: a process that fills the disk takes free space until it is stopped.
    static let piece = 512 << 10

    private let path: String
    /// Bytes that can still be released.
    private(set) var left = 0
    /// It has given something back that was not replaced yet.
    private(set) var isOwed = false

    /// Finds what an earlier host kept back.
    init(inState folder: String) {
        path = folder + "/reserve"
        guard let file = open([]), let facts = try? FileSystem.facts(of: file), facts.isFile,
            let allocated = try? file.allocated()
        else { return }
        // The blocks count, not the length: a copy of the folder may have none.
        left = min(Int(clamping: facts.size), Int(allocated), Self.size)
    }

    var isWhole: Bool { left >= Self.size }

    /// Returns one piece to the file system; false when nothing is left, or the disk does not take it.
    func giveBack() -> Bool {
        guard left > 0, let file = open([]) else { return false }
        isOwed = true
        left = max(0, left - Self.piece)
        guard (try? file.setLength(Int64(left))) != nil else { return false }
        // A journal may hold freed blocks back until it has been written.
        return (try? file.sync()) != nil
    }

    /// Restores the reserve, if there is space.
    func fill() {
        guard !isWhole, let file = open(.O_CREAT) else { return }
        do throws(SystemError) {
            try file.allocate(Int64(Self.size))
            left = Self.size
            isOwed = false
        } catch {
            try? file.setLength(Int64(left))
        }
    }

    private func open(_ flags: OpenFlags) -> Descriptor? {
        try? Descriptor.open(path, flags.union([.O_RDWR, .O_NOFOLLOW, .O_NONBLOCK]), mode: 0o600)
    }
}
