package import Linux
package import TaskModel

/// Announces changes in manifest folders: files that were added, removed or written, or whose mode changed; folders that
/// were added, removed or replaced.
///
/// It watches from its creation: create it before the folders are first read, so that no change is lost. Changes at the same
/// time are announced together. Of the folders above only the nearest existing one is watched.
package final class ManifestWatch: EventSource {
    /// After the last change of a group; editors and installers do several things to a file.
    package static let settling = TimeSpan.milliseconds(100)
    /// After the first, however many follow.
    package static let patience = TimeSpan.seconds(1)

    /// What changed in one folder.
    package struct Change: Equatable, Sendable {
        /// The folder's place in the list that the watch was made with.
        package var folder: Int
        /// The manifests that were named; nil: the folder itself changed, or the kernel lost count (IN_Q_OVERFLOW), so
        /// that everything in it may be new.
        package var names: Set<String>?

        package init(folder: Int, names: Set<String>?) {
            self.folder = folder
            self.names = names
        }
    }

    private let onChange: ([Change]) -> Void
    private var folders: [WatchedFolder] = []
    private weak var registry: (any SourceRegistry)?
    /// By folder, as in `Change`.
    private var changed: [Int: Set<String>?] = [:]
    private var first = Instant.distantFuture
    private var last = Instant.distantFuture

    /// - Parameter folders: their paths; they need not exist.
    package init(folders: [String], onChange: @escaping ([Change]) -> Void) throws(SystemError) {
        self.onChange = onChange
        for path in folders { self.folders.append(try WatchedFolder(path)) }
    }

    package func attach(to registry: any SourceRegistry) throws(SystemError) {
        self.registry = registry
        for (index, folder) in folders.enumerated() {
            try registry.add(folder.contents.descriptor.number, tag: UInt32(index * 2), urgent: false)
            try registry.add(folder.place.number, tag: UInt32(index * 2 + 1), urgent: false)
        }
    }

    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        let index = Int(tag / 2)
        guard index < folders.count else { return }
        let news = tag % 2 == 0 ? folders[index].readContents() : folders[index].readPlace() ? .all : .nothing
        switch news {
        case .nothing: return
        case .all: changed[index] = .some(nil)
        case .names(let names):
            // A change of everything stays one.
            if let known = changed[index] { changed[index] = known?.union(names) } else { changed[index] = names }
        }
        first = min(first, now.instant)
        last = now.instant
    }

    package var nextDeadline: Instant {
        changed.isEmpty ? .distantFuture : min(last + Self.settling, first + Self.patience)
    }

    package func advance(to now: ClockReading) {
        guard nextDeadline <= now.instant else { return }
        let changes = changed.sorted { $0.key < $1.key }.map { Change(folder: $0.key, names: $0.value) }
        changed = [:]
        first = .distantFuture
        onChange(changes)
    }

    package func close() {
        for folder in folders {
            registry?.remove(folder.contents.descriptor.number)
            registry?.remove(folder.place.number)
        }
        folders = []
        changed = [:]
    }
}

/// The news of a folder's descriptor.
private enum FolderNews {
    case nothing
    case names(Set<String>)
    case all
}

/// One folder: its contents, and its place, where another folder may appear.
private final class WatchedFolder {
    let path: String
    let contents: Inotify
    let place: PathWatch
    private var watch: Int32?

    init(_ path: String) throws(SystemError) {
        self.path = path
        contents = try Inotify()
        place = try PathWatch(path: path.hasPrefix("/") ? path : (FileSystem.realPath(".") ?? "") + "/" + path)
        rewatch()
    }

    /// The changes of the manifests, or of the folder itself.
    func readContents() -> FolderNews {
        var names: Set<String> = []
        var isAll = false
        var isLost = false
        InotifyEvent.forEach(from: contents) { event in
            if event.isOverflow { isAll = true }
            guard event.watch == watch else { return }
            isLost = isLost || !event.mask.isDisjoint(with: Self.loss)
            if event.name.isEmpty { isAll = true } else if event.name.hasSuffix(".json") { names.insert(event.name) }
        }
        if isLost { rewatch() }
        return isAll ? .all : names.isEmpty ? .nothing : .names(names)
    }

    /// True when another folder may be there.
    func readPlace() -> Bool {
        guard place.read() else { return false }
        rewatch()
        return true
    }

    /// A watch follows its folder when that moves: set it again on the path's present target.
    private func rewatch() {
        if let watch { contents.remove(watch) }
        watch = try? contents.add(path, Self.interest)
    }

    private static let loss: Inotify.Mask = [.IN_DELETE_SELF, .IN_MOVE_SELF, .IN_IGNORED, .IN_UNMOUNT]
    // Links show as IN_CREATE alone, rights as IN_ATTRIB alone.
    private static let interest: Inotify.Mask = [
        .IN_CREATE, .IN_CLOSE_WRITE, .IN_MOVED_TO, .IN_MOVED_FROM, .IN_DELETE, .IN_ATTRIB, .IN_DELETE_SELF,
        .IN_MOVE_SELF, .IN_ONLYDIR, .IN_EXCL_UNLINK,
    ]
}
