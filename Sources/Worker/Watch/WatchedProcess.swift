import Linux

/// A process whose system call waits, and what its arguments lead to.
struct WatchedProcess {
    /// The thread that makes the call.
    let thread: Int32

    /// What a path leads to.
    struct Target {
        /// Without links.
        var place: String
        /// nil: there is nothing.
        var facts: FileSystem.Facts?
    }

    /// Beginnings of paths that lead to the process itself: its descriptors and `/proc/self`, which need no grant.
    private static let own = [
        "/proc/self/", "/proc/thread-self/", "/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr",
        // A run has no terminal that controls it.
        "/dev/tty",
    ]
    /// AT_FDCWD
    static let workingFolder: Int32 = -100

    /// What a path argument leads to.
    ///
    /// - Parameters:
    ///   - folder: the descriptor that it begins in.
    ///   - followsLast: a last link is followed.
    ///   - hasOwnRoot: its root folder may be another (chroot(2)).
    /// - Returns: nil when it leads to the process itself, out of the file system, to nothing in a folder that there is not, or
    ///   cannot be read.
    func target(of text: [UInt8], in folder: Int32 = workingFolder, followsLast: Bool, hasOwnRoot: Bool = false)
        -> Target?
    {
        // A name that is not UTF-8 could be in no manifest.
        guard let path = String(validating: text, as: UTF8.self) else { return nil }
        if path.hasPrefix("/") {
            guard !Self.own.contains(where: { path.hasPrefix($0) && ($0.hasSuffix("/") || path == $0) }) else {
                return nil
            }
            return Self.target(at: (hasOwnRoot ? "/proc/\(thread)/root" : "") + path, followsLast: followsLast)
        }
        let start = folder == Self.workingFolder ? "/proc/\(thread)/cwd" : "/proc/\(thread)/fd/\(folder)"
        return Self.target(at: path.isEmpty ? start : start + "/" + path, followsLast: followsLast || path.isEmpty)
    }

    /// - Parameter depth: of links that lead to nothing, as many as the kernel follows (path_resolution(7)).
    private static func target(at path: String, followsLast: Bool, depth: Int = 40) -> Target? {
        let flags: OpenFlags = followsLast ? .O_PATH : [.O_PATH, .O_NOFOLLOW]
        if let file = try? Descriptor.open(path, flags), let place = place(of: file) {
            return Target(place: place, facts: try? FileSystem.facts(of: file))
        }
        // Nothing is there: the folder that it would be in.
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: 0x2F) else { return nil }
        let (parent, name) = (
            String(decoding: bytes[..<slash], as: UTF8.self), String(decoding: bytes[(slash + 1)...], as: UTF8.self)
        )
        guard !name.isEmpty, name != ".", name != "..", let folder = try? Descriptor.open(parent + "/", .O_PATH),
            let place = place(of: folder)
        else { return nil }
        let whole = (place == "/" ? "" : place) + "/" + name
        // A link that leads to nothing: what is made is there.
        if followsLast, depth > 0, case .link(let next) = GrantResolver().entry(whole) {
            return target(at: next.hasPrefix("/") ? next : place + "/" + next, followsLast: true, depth: depth - 1)
        }
        return Target(place: whole, facts: nil)
    }

    /// nil: of something without a path, such as a pipe, or of a file that was removed.
    private static func place(of file: borrowing Descriptor) -> String? {
        guard case .link(let place) = GrantResolver().entry("/proc/self/fd/\(file.number)"), place.hasPrefix("/"),
            !place.hasSuffix(" (deleted)")
        else { return nil }
        return place
    }

    /// The name of its program.
    var name: String {
        let text = (try? FileText.read("/proc/\(thread)/comm", limit: 64)) ?? ""
        return String(text.prefix { $0 != "\n" })
    }

    /// Whether a descriptor of its is closed by execve(2) (proc_pid_fdinfo(5): `flags`, in octal digits).
    func closesOnExec(_ number: Int32) -> Bool {
        guard let text = try? FileText.read("/proc/\(thread)/fdinfo/\(number)", limit: 4096),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("flags:") }),
            let flags = UInt64(line.dropFirst(6).drop { $0 == "\t" || $0 == " " }, radix: 8)
        else { return false }
        return flags & 0o2_000_000 != 0
    }

    /// The facts of one of its sockets; nil: it is none.
    func socket(_ number: Int32) -> ForeignSocket? {
        guard let text = try? FileText.read("/proc/\(thread)/status", limit: 4096),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Tgid:") }),
            let process = Int32(line.dropFirst(5).drop { $0 == "\t" || $0 == " " })
        else { return nil }
        return ForeignSocket(number, of: process)
    }
}
