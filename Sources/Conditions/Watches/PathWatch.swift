import CLinux
import Glibc
import Linux

/// Tells that a path may have come into being: watches the deepest folder above it that exists.
final class PathWatch {
    let descriptor: Descriptor
    let path: String
    private var watch: Int32?
    /// The name that is awaited in the watched folder.
    private var awaited = ""

    init(path: String) throws(SystemError) {
        descriptor = Descriptor(adopting: try check(clinux_inotify(), "inotify_init1"))
        self.path = path
        rearm()
    }

    /// Whether something is watched. Where the limit of watches is reached, or rights are missing, nothing is.
    var isArmed: Bool { watch != nil }

    /// Watches the folder that is the deepest now.
    func rearm() {
        // A folder that comes between the look for it and the watch above it is found by looking again; one that may not be
        // read never is.
        for _ in 0..<4 {
            if let watch { _ = clinux_inotify_remove(descriptor.number, watch) }  // gone already with its folder
            watch = nil
            guard watchDeepest() else { return }
        }
    }

    /// True when a deeper folder has come meanwhile.
    private func watchDeepest() -> Bool {
        let parts = path.split(separator: "/").map(String.init).filter { $0 != "." }
        let mask =
            UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
            | UInt32(truncatingIfNeeded: IN_ONLYDIR)
        guard !parts.isEmpty else { return false }
        for count in stride(from: parts.count - 1, through: 0, by: -1) {
            let added = clinux_inotify_add(descriptor.number, "/" + parts[0..<count].joined(separator: "/"), mask)
            guard added >= 0 else { continue }
            watch = added
            awaited = parts[count]
            return count + 1 < parts.count && isFolder("/" + parts[0...count].joined(separator: "/"))
        }
        return false
    }

    /// Takes what was announced; true when the path, or a folder on the way to it, may be new.
    func read() -> Bool {
        var concerned = false
        InotifyEvent.forEach(from: descriptor.number) { event in
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
