package import Linux
package import TaskModel

/// Announces that the file of the machine's time zone may have changed: replaced, written, removed or created, itself or the
/// target of its links.
///
/// It watches from its creation: create it before the file is first read. Changes at the same time are announced once.
package final class ZoneWatch: EventSource {
    /// After the last change of a group: a link is taken away before the next one is made, and tzdata comes in many files.
    package static let settling = TimeSpan.milliseconds(100)
    /// Links on the way that are followed, as the kernel does (path_resolution(7)).
    private static let maximumLinks = 40

    private let path: String
    private let onChange: () -> Void
    private let inotify: Inotify
    /// Names that matter in each watched folder; the empty one is the folder, or file, itself.
    private var names: [Int32: Set<String>] = [:]
    private weak var registry: (any SourceRegistry)?
    private var last = Instant.distantFuture

    /// - Parameter path: an absolute one; nothing needs to exist there.
    package init(path: String, onChange: @escaping () -> Void) throws(SystemError) {
        self.path = path
        self.onChange = onChange
        inotify = try Inotify()
        watchWay()
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(inotify.descriptor.number, tag: 0, urgent: false)
        self.registry = registry
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        var concerned = false
        InotifyEvent.forEach(from: inotify) { event in
            if event.isOverflow || names[event.watch]?.contains(event.name) == true { concerned = true }
        }
        if concerned { last = now.instant }
    }

    package var nextDeadline: Instant { last == .distantFuture ? last : last + Self.settling }

    package func advance(to now: ClockReading) {
        guard nextDeadline <= now.instant else { return }
        last = .distantFuture
        watchWay()
        onChange()
    }

    package func close() {
        registry?.remove(inotify.descriptor.number)
        last = .distantFuture
    }

    // MARK: Watches

    /// Watches the folder of every link on the path, and the last target.
    private func watchWay() {
        for watch in names.keys { inotify.remove(watch) }
        names = [:]
        var place = path
        for _ in 0..<Self.maximumLinks {
            watchName(of: place)
            guard let target = FileSystem.linkTarget(ofPath: place) else { break }
            place = target.hasPrefix("/") ? target : Self.split(place).folder + "/" + target
        }
        // Where another name, or a mount, leads to the same file.
        if let file = try? inotify.add(place, .IN_CLOSE_WRITE) { names[file, default: []].insert("") }
    }

    /// Watches for the name in the path's folder; if that does not exist, for the folder's name in the one above it.
    private func watchName(of path: String) {
        var place = path
        while place != "/" {
            let (folder, name) = Self.split(place)
            if let watch = try? inotify.add(folder, Self.interest) {
                names[watch, default: [""]].insert(name)
                return
            }
            place = folder
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let parts = path.split(separator: "/")
        return ("/" + parts.dropLast().joined(separator: "/"), parts.last.map(String.init) ?? "")
    }

    private static let interest: Inotify.Mask = [
        .IN_CREATE, .IN_CLOSE_WRITE, .IN_MOVED_TO, .IN_MOVED_FROM, .IN_DELETE, .IN_DELETE_SELF, .IN_MOVE_SELF,
        .IN_ONLYDIR,
    ]
}
