import Linux

/// Announces that a path may have been created: watches the deepest existing folder above it.
final class PathWatch {
    private let inotify: Inotify
    let path: String
    private var watch: Int32?
    /// The name that is awaited in the watched folder.
    private var awaited = ""

    init(path: String) throws(SystemError) {
        inotify = try Inotify()
        self.path = path
        rearm()
    }

    var number: Int32 { inotify.descriptor.number }

    /// Whether something is watched. Where the limit of watches is reached, or rights are missing, nothing is.
    var isArmed: Bool { watch != nil }

    /// Watches the folder that is the deepest now.
    func rearm() {
        // A folder that is created between the search for it and the watch above it is found by searching again; an
        // unreadable one never is.
        for _ in 0..<4 {
            if let watch { inotify.remove(watch) }
            watch = nil
            guard watchDeepest() else { return }
        }
    }

    /// True when a deeper folder has been created.
    private func watchDeepest() -> Bool {
        let parts = path.split(separator: "/").map(String.init).filter { $0 != "." }
        let mask: Inotify.Mask = [.IN_CREATE, .IN_MOVED_TO, .IN_DELETE_SELF, .IN_MOVE_SELF, .IN_ONLYDIR]
        guard !parts.isEmpty else { return false }
        for count in stride(from: parts.count - 1, through: 0, by: -1) {
            guard let added = try? inotify.add("/" + parts[0..<count].joined(separator: "/"), mask) else { continue }
            watch = added
            awaited = parts[count]
            return count + 1 < parts.count && isFolder("/" + parts[0...count].joined(separator: "/"))
        }
        return false
    }

    /// Reads announcements; true when the path, or a folder on it, may be new.
    func read() -> Bool {
        var concerned = false
        InotifyEvent.forEach(from: inotify) { event in
            guard event.watch == watch || event.isOverflow else { return }
            if event.name == awaited || event.name.isEmpty { concerned = true }
        }
        if concerned { rearm() }
        return concerned
    }

    private func isFolder(_ path: String) -> Bool {
        guard let facts = try? FileSystem.followedFacts(of: path) else { return false }
        return facts.isFolder
    }
}
