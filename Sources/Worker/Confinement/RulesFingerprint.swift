import Glibc

/// Which files stand behind a ruleset. A Landlock rule holds a file, not a path: when a file is replaced by another of the
/// same name, the rules have to be made again.
struct RulesFingerprint: Equatable {
    private struct Mark: Equatable {
        var device: UInt64 = 0
        var inode: UInt64 = 0
        /// For folders whose entries matter: when they changed last.
        var changed = timespec()

        static func == (a: Mark, b: Mark) -> Bool {
            a.device == b.device && a.inode == b.inode && a.changed.tv_sec == b.changed.tv_sec
                && a.changed.tv_nsec == b.changed.tv_nsec
        }
    }

    private var marks: [Mark] = []

    /// - Parameters:
    ///   - paths: files and folders that rules name; absent ones count as such.
    ///   - listed: folders from which rules were made for single entries.
    ///   - descriptor: a file that a rule names by descriptor, or -1.
    init(paths: [String], listed: [String], descriptor: Int32) {
        var status = stat()
        marks.reserveCapacity(paths.count + listed.count + 1)
        for path in paths { marks.append(stat(path, &status) == 0 ? Self.mark(status) : Mark()) }
        for path in listed {
            guard stat(path, &status) == 0 else {
                marks.append(Mark())
                continue
            }
            var mark = Self.mark(status)
            mark.changed = status.st_mtim
            marks.append(mark)
        }
        if descriptor >= 0 { marks.append(fstat(descriptor, &status) == 0 ? Self.mark(status) : Mark()) }
    }

    private static func mark(_ status: stat) -> Mark {
        Mark(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
