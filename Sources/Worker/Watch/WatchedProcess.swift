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
    ]
    /// AT_FDCWD
    private static let workingFolder: Int32 = -100

    /// What a path argument leads to.
    ///
    /// - Parameters:
    ///   - folder: the descriptor that it begins in.
    ///   - followsLast: a last link is followed.
    /// - Returns: nil when it leads to the process itself, out of the file system, to nothing in a folder that there is not, or
    ///   cannot be read.
    func target(of text: [UInt8], in folder: Int32, followsLast: Bool) -> Target? {
        // A name that is not UTF-8 could be in no manifest.
        guard let path = String(validating: text, as: UTF8.self) else { return nil }
        if path.hasPrefix("/") {
            guard !Self.own.contains(where: path.hasPrefix) else { return nil }
            return Self.target(at: path, followsLast: followsLast)
        }
        let start = folder == Self.workingFolder ? "/proc/\(thread)/cwd" : "/proc/\(thread)/fd/\(folder)"
        return Self.target(at: path.isEmpty ? start : start + "/" + path, followsLast: followsLast || path.isEmpty)
    }

    private static func target(at path: String, followsLast: Bool) -> Target? {
        let flags: OpenFlags = followsLast ? .O_PATH : [.O_PATH, .O_NOFOLLOW]
        if let file = try? Descriptor.open(path, flags), let place = place(of: file) {
            return Target(place: place, facts: try? FileSystem.facts(of: file))
        }
        // Nothing is there: the folder that it would be in.
        guard let slash = path.lastIndex(of: "/"), path[path.index(after: slash)...] != ".." else { return nil }
        let name = path[path.index(after: slash)...]
        guard !name.isEmpty, name != ".", let folder = try? Descriptor.open(String(path[..<slash]) + "/", .O_PATH),
            let place = place(of: folder)
        else { return nil }
        return Target(place: (place == "/" ? "" : place) + "/" + name, facts: nil)
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

    /// Whether one of its sockets is for datagrams; nil: that cannot be found out.
    func isDatagram(_ socket: Int32) -> Bool? {
        guard let text = try? FileText.read("/proc/\(thread)/status", limit: 4096),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Tgid:") }),
            let process = Int32(line.dropFirst(5).drop { $0 == "\t" || $0 == " " })
        else { return nil }
        return ForeignSocket.isDatagram(socket, of: process)
    }
}
