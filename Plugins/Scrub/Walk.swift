import Glibc

/// A walk over the files of a folder, in an order that depends on their names alone: so it can be left anywhere and be
/// taken up again later, whatever came or went in between.
///
/// Symbolic links are not followed, and folders of other file systems are not entered. No path is resolved twice: each
/// folder is opened relative to its parent's descriptor.
final class Walk {
    /// What the walk comes to next.
    enum Step {
        /// A regular file: the descriptor of its folder, its NUL-terminated name there.
        case file(folder: Int32, name: [UInt8])
        /// A folder that cannot be read, by the error number.
        case unreadable(Int32)
    }

    /// Folders within folders, as many as there can be descriptors to spare.
    static let maximumDepth = 100

    private struct Level {
        let folder: OpaquePointer
        /// NUL-terminated, sorted by their bytes.
        let names: [[UInt8]]
        var next = 0
        /// Length of `path` up to and including this folder's slash.
        let prefix: Int

        var descriptor: Int32 { dirfd(folder) }
    }

    private var levels: [Level] = []
    private let device: dev_t
    /// Components of the position that was left, as long as the walk still goes down towards it.
    private var resume: [[UInt8]]
    /// Where the last step was, relative to the root.
    private(set) var path: [UInt8] = []

    /// - Parameters:
    ///   - root: an absolute path.
    ///   - position: the `path` of the last step that was dealt with; empty to begin at the beginning.
    /// - Throws: when the root cannot be read.
    init(root: [UInt8], after position: [UInt8]) throws(Failure) {
        var status = stat()
        let code = (root + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { path in path.baseAddress.map { stat($0, &status) } ?? -1 }
        }
        device = status.st_dev
        resume = position.split(separator: UInt8(ascii: "/")).map { Array($0) + [0] }
        let opening: Opening =
            code == 0 ? Self.folder(root + [0], in: AT_FDCWD, on: status.st_dev) : .failed(errno)
        switch opening {
        case .opened(let folder, let names): levels.append(Level(folder: folder, names: names, prefix: 0))
        case .elsewhere: throw Self.failure(root, ENOENT)
        case .failed(let code): throw Self.failure(root, code)
        }
        skip()
    }

    private static func failure(_ root: [UInt8], _ code: Int32) -> Failure {
        Failure(message: "\(display(root)): cannot read this folder: \(String(cString: strerror(code)))")
    }

    deinit {
        for level in levels { closedir(level.folder) }
    }

    /// The next file or unreadable folder; nil at the end. `path` tells where it is.
    func next() -> Step? {
        while let top = levels.indices.last {
            guard levels[top].next < levels[top].names.count else {
                closedir(levels.removeLast().folder)
                continue
            }
            let name = levels[top].names[levels[top].next]
            levels[top].next += 1
            path.removeSubrange(levels[top].prefix...)
            path += name.dropLast()
            let parent = levels[top].descriptor
            switch Self.kind(of: name, in: parent) {
            case S_IFREG:
                resume = []
                return .file(folder: parent, name: name)
            case S_IFDIR:
                if let step = enter(name, in: parent) { return step }
            default:
                resume = []
            }
        }
        return nil
    }

    /// Goes down into a folder; a step when it cannot be read.
    private func enter(_ name: [UInt8], in parent: Int32) -> Step? {
        switch Self.folder(name, in: parent, on: levels.count < Self.maximumDepth ? device : nil) {
        case .opened(let folder, let names):
            path.append(UInt8(ascii: "/"))
            levels.append(Level(folder: folder, names: names, prefix: path.count))
            skip()
            return nil
        case .elsewhere:
            resume = []
            return nil
        case .failed(let code):
            resume = []
            return .unreadable(code)
        }
    }

    /// Passes over what comes before the position that was left. Something that went since then leaves no gap: the walk
    /// takes up at the first name beyond it.
    private func skip() {
        guard let component = resume.first, let top = levels.indices.last else { return }
        let names = levels[top].names
        resume.removeFirst()
        let first = names.firstIndex { !$0.lexicographicallyPrecedes(component) } ?? names.count
        let isThere = first < names.count && names[first] == component
        // The last component was dealt with. One before it is a folder to go down into; another name ends the search.
        levels[top].next = isThere && resume.isEmpty ? first + 1 : first
        if !isThere { resume = [] }
    }

    private enum Opening {
        case opened(OpaquePointer, names: [[UInt8]])
        /// It is on another file system.
        case elsewhere
        case failed(Int32)
    }

    /// Opens a folder and reads its names. `device` nil: it lies too deep.
    private static func folder(_ name: [UInt8], in parent: Int32, on device: dev_t?) -> Opening {
        guard let device else { return .failed(ELOOP) }
        let descriptor = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map { openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) } ?? -1
            }
        }
        guard descriptor >= 0 else { return .failed(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_dev == device else {
            close(descriptor)
            return .elsewhere
        }
        guard let folder = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            return .failed(code)
        }
        guard let names = names(in: folder) else {
            let code = errno
            closedir(folder)
            return .failed(code)
        }
        return .opened(folder, names: names)
    }

    /// The file type bits of `name`, its link not followed; 0 when it has gone.
    private static func kind(of name: [UInt8], in parent: Int32) -> mode_t {
        var status = stat()
        let code = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map { fstatat(parent, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? -1
            }
        }
        return code == 0 ? status.st_mode & S_IFMT : 0
    }

    /// The names in a folder, sorted by their bytes; nil, and `errno`, when reading it fails halfway: names that were
    /// not read must not pass for files that were removed.
    private static func names(in folder: OpaquePointer) -> [[UInt8]]? {
        var names: [[UInt8]] = []
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(folder) {
            // Through the address: the imported d_name is a tuple of 256 bytes that would be copied whole.
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let name = [UInt8](
                UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)) + 1))
            if name != [0x2e, 0] && name != [0x2e, 0x2e, 0] { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { return nil }
        names.sort { $0.lexicographicallyPrecedes($1) }
        return names
    }
}
