import Linux
import TaskModel

/// One scan of a folder: sets its watches, then reads its entries. Runs on a separate thread: a folder may have a million
/// files, and a file system may hang.
struct FolderLook: Sendable {
    /// How many matches are recorded.
    static let mostMarks = 16_384

    let place: Int
    let folder: String
    let patterns: [FilePattern]
    /// By pattern: each match is recorded, not only whether there is one.
    let wantsMarks: [Bool]
    /// Entries to read; the contents of a larger folder are unknown.
    let mostEntries: Int
    let inotify: Inotify

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
        /// There are more matches than are recorded.
        var isCut = false
    }

    struct Answer: Sendable {
        var place: Int
        var watches: [Watch] = []
        var isThere = false
        /// Why the result is unknown, or changes are not announced; nil: no fault.
        var fault: String?
        /// By pattern.
        var found: [Found]
        var took = TimeSpan.zero
    }

    func make() -> Answer {
        let start = Clock.moment().instant
        var answer = Answer(place: place, found: patterns.map { _ in Found() })
        // Set the watches first: later changes are announced.
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
        // A folder that is created between the search for it and the watch above it is found by searching again.
        for _ in 0..<8 {
            guard let (open, depth) = deepest(parts) else { return nil }
            let isFolder = depth == parts.count
            // By its descriptor: the path may lead elsewhere by now.
            let number: Int32
            do throws(SystemError) {
                number = try inotify.add(
                    "/proc/self/fd/\(open.descriptor.number)", isFolder ? interest : Self.wayInterest)
            } catch {
                answer.fault = "\(open.path) cannot be watched: \(error.code)"
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
    private static let wayInterest: Inotify.Mask = [
        .IN_CREATE, .IN_MOVED_TO, .IN_DELETE_SELF, .IN_MOVE_SELF, .IN_ONLYDIR, .IN_MASK_ADD,
    ]
    private static let contents = wayInterest.union([
        .IN_CLOSE_WRITE, .IN_MOVED_FROM, .IN_DELETE, .IN_EXCL_UNLINK,
    ])
    private var interest: Inotify.Mask {
        patterns.contains(where: \.isExact) ? Self.contents.union(.IN_ATTRIB) : Self.contents
    }

    // MARK: Looking

    private func walk(_ folder: OpenFolder, _ answer: inout Answer) {
        let listed: FolderEntries
        do throws(SystemError) {
            listed = try FolderEntries(of: folder.descriptor)
        } catch {
            answer.fault = "\(self.folder) cannot be read: \(error.code)"
            return
        }
        for (index, pattern) in patterns.enumerated() where pattern.isExact {
            guard let facts = listed.facts(of: pattern.name) else { continue }
            let name = String(decoding: pattern.name, as: UTF8.self)
            answer.found[index] = Found(first: name, matches: [Match(name: name, mark: FileMark(exact: facts))])
        }
        var entries = 0
        var open = Set(patterns.indices.filter { !patterns[$0].isExact })
        while !open.isEmpty, let (name, _) = listed.next() {
            entries += 1
            guard entries <= mostEntries else {
                answer.fault = "\(self.folder) has more than \(mostEntries) entries"
                return
            }
            for index in open where patterns[index].matches(name) {
                guard let mark = Self.mark(name, in: listed) else { continue }
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

    /// nil: it no longer exists, or is a link, which may lead anywhere and does not match.
    private static func mark(_ name: [UInt8], in folder: FolderEntries) -> FileMark? {
        guard let facts = folder.facts(of: name), !facts.isLink else { return nil }
        return FileMark(
            device: facts.device, inode: facts.inode, size: Int64(clamping: facts.size), modified: facts.modified)
    }
}

extension FileMark {
    /// Of a file or a link that is waited for by its own name: it changes with the rights as well.
    init(exact facts: FileSystem.Facts) {
        self.init(
            device: facts.device, inode: facts.inode, size: Int64(clamping: facts.size), modified: facts.changed)
    }
}

/// A folder that was reached over no link.
private final class OpenFolder {
    let path: String
    let descriptor: Descriptor

    init?(path: String) {
        guard let file = try? Folder.openWithoutLinks(path), let facts = try? FileSystem.facts(of: file),
            facts.isFolder
        else { return nil }
        self.path = path
        descriptor = file
    }
}
