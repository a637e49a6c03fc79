import CLinux
import Glibc
import Linux
import TaskModel

/// One look at a folder: sets its watches, then goes through its entries. Made on a thread of its own: a folder may have a
/// million files, and a file system may hang.
struct FolderLook: Sendable {
    /// Matches that are told apart from each other.
    static let mostMarks = 16_384

    let place: Int
    let folder: String
    let patterns: [FilePattern]
    /// By pattern: each match is told apart, not only whether there is one.
    let wantsMarks: [Bool]
    /// Entries looked at; of a folder with more nobody can say what is in it.
    let mostEntries: Int
    /// An inotify descriptor, open while this look is made.
    let inotify: Int32

    struct Watch: Sendable {
        var number: Int32
        /// The name on the way to the folder that is awaited in it; nil: the folder itself.
        var awaited: String?
    }

    struct Match: Sendable, Equatable {
        var name: String
        var mark: FileMark
    }

    struct Found: Sendable {
        var first: String?
        var matches: [Match] = []
        /// There are more than are told apart.
        var isCut = false
    }

    struct Answer: Sendable {
        var place: Int
        var watches: [Watch] = []
        var isThere = false
        /// Why nobody can say, or be told of changes; nil: nothing is wrong.
        var fault: String?
        /// By pattern.
        var found: [Found]
        var took = TimeSpan.zero
    }

    func make() -> Answer {
        let start = Clock.moment().instant
        var answer = Answer(place: place, found: patterns.map { _ in Found() })
        // First the watches: what changes after them is told.
        if let open = watch(&answer) {
            answer.isThere = true
            walk(open, &answer)
        }
        answer.took = Clock.moment().instant - start
        return answer
    }

    // MARK: Watching

    /// Watches the folder, or the deepest one on the way to it that exists. The folder, if it is there.
    private func watch(_ answer: inout Answer) -> OpenFolder? {
        let parts = folder.split(separator: "/").map(String.init)
        // A folder that comes between the look for it and the watch above it is found by looking again.
        for _ in 0..<8 {
            guard let (open, depth) = deepest(parts) else { return nil }
            let isFolder = depth == parts.count
            // By its descriptor: the path may lead elsewhere meanwhile.
            let number = clinux_inotify_add(
                inotify, "/proc/self/fd/\(open.descriptor.number)", isFolder ? Self.interest : Self.wayInterest)
            guard number >= 0 else {
                answer.fault = "\(open.path) cannot be watched: \(String(cString: strerror(-number)))"
                return isFolder ? open : nil
            }
            answer.watches.append(Watch(number: number, awaited: isFolder ? nil : parts[depth]))
            if isFolder { return open }
            if OpenFolder(path: Self.path(parts, depth + 1)) == nil { return nil }
        }
        answer.fault = "\(folder) comes and goes"
        return nil
    }

    private static func path(_ parts: [String], _ count: Int) -> String {
        "/" + parts[0..<count].joined(separator: "/")
    }

    private func deepest(_ parts: [String]) -> (OpenFolder, depth: Int)? {
        for depth in stride(from: parts.count, through: 0, by: -1) {
            if let open = OpenFolder(path: Self.path(parts, depth)) { return (open, depth) }
        }
        return nil
    }

    // A folder may be the way to another: its watch is one, and serves both.
    private static let add = UInt32(truncatingIfNeeded: IN_MASK_ADD)
    private static let onlyFolders = UInt32(truncatingIfNeeded: IN_ONLYDIR)
    private static let wayInterest =
        UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF) | onlyFolders | add
    private static let interest =
        UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
        | onlyFolders | add | UInt32(truncatingIfNeeded: IN_EXCL_UNLINK)

    // MARK: Looking

    private func walk(_ folder: OpenFolder, _ answer: inout Answer) {
        let number = clinux_openat(folder.descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard number >= 0, let stream = fdopendir(number) else {
            if number >= 0 { _ = close(number) }
            answer.fault = "\(self.folder) cannot be read: \(String(cString: strerror(number < 0 ? -number : errno)))"
            return
        }
        defer { closedir(stream) }
        var entries = 0
        var open = Set(patterns.indices)
        while !open.isEmpty, let entry = readdir(stream) {
            let name = Self.name(of: entry)
            guard name != Self.itself && name != Self.above else { continue }
            entries += 1
            guard entries <= mostEntries else {
                answer.fault = "\(self.folder) has more than \(mostEntries) entries"
                return
            }
            for index in open where patterns[index].matches(name) {
                guard let mark = Self.mark(name, in: number) else { continue }
                let text = String(decoding: name, as: UTF8.self)
                if answer.found[index].first == nil { answer.found[index].first = text }
                if !wantsMarks[index] {
                    open.remove(index)
                } else if answer.found[index].matches.count < Self.mostMarks {
                    answer.found[index].matches.append(Match(name: text, mark: mark))
                } else {
                    answer.found[index].isCut = true
                    open.remove(index)
                }
            }
        }
    }

    /// Every folder lists itself and the one above it, which nobody put there.
    private static let itself = Array(".".utf8)
    private static let above = Array("..".utf8)

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
    }

    /// nil: it is gone again, or a link, which may lead anywhere and is no match.
    private static func mark(_ name: [UInt8], in folder: Int32) -> FileMark? {
        var facts = stat()
        let failed = (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { text in
            text.baseAddress.map { fstatat(folder, $0, &facts, AT_SYMLINK_NOFOLLOW) } ?? -1
        }
        guard failed == 0, facts.st_mode & S_IFMT != S_IFLNK else { return nil }
        return FileMark(
            device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
            modified: Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec))
    }
}

/// A folder that was reached over no link.
private final class OpenFolder {
    let path: String
    let descriptor: Descriptor

    init?(path: String) {
        let number = clinux_open_path_without_links(path)
        guard number >= 0 else { return nil }
        let file = Descriptor(adopting: number)
        guard let facts = try? FileSystem.facts(of: file), facts.isFolder else { return nil }
        self.path = path
        descriptor = file
    }
}
