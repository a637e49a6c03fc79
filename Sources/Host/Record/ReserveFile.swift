import CLinux
import Glibc
import Linux

/// Room on the disk that the host keeps for itself: a file without meaning, whose blocks are given back when the record finds
/// none.
final class ReserveFile {
    /// Thousands of turns' worth, for what is recorded on a full disk mostly overwrites what is there.
    static let size = 8 << 20
    /// What is given back at a time: who fills the disk takes what it can get, until it is stopped.
    static let piece = 512 << 10

    private let path: String
    /// Bytes that can still be given back.
    private(set) var left = 0
    /// It has given something back that was not replaced yet.
    private(set) var isOwed = false

    /// Finds what an earlier host kept back.
    init(inState folder: String) {
        path = folder + "/reserve"
        guard let file = open(O_RDWR) else { return }
        var facts = stat()
        guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
        // The blocks count, not the length: a copy of the folder may have none.
        left = min(Int(facts.st_size), Int(facts.st_blocks) * 512, Self.size)
    }

    var isWhole: Bool { left >= Self.size }

    /// Gives one piece back to the file system; false when nothing is left.
    func giveBack() -> Bool {
        guard left > 0, let file = open(O_RDWR) else { return false }
        isOwed = true
        left = max(0, left - Self.piece)
        guard ftruncate(file.number, off_t(left)) == 0 else { return false }
        // A journal may hold freed blocks back until it has been written.
        _ = fsync(file.number)
        return true
    }

    /// Takes what is missing, if there is room for it.
    func fill() {
        guard !isWhole, let file = open(O_RDWR | O_CREAT) else { return }
        if posix_fallocate(file.number, 0, off_t(Self.size)) == 0 {
            left = Self.size
            isOwed = false
        } else {
            _ = ftruncate(file.number, off_t(left))
        }
    }

    private func open(_ flags: Int32) -> Descriptor? {
        let number = clinux_open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        return number < 0 ? nil : Descriptor(adopting: number)
    }
}
