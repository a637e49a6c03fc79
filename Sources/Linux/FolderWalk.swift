import CLinux
import Glibc

/// Walks to a folder part by part, by descriptors alone, and trusts only what root and this process's user can have put
/// there.
///
/// Every folder on the path, and every link that is followed, belongs to one of the two. None may be writable by others, and
/// by a group only if it is an ordinary user's private one; in a sticky folder (such as `/tmp`) others cannot replace files
/// that are not theirs. So the resulting path means the same folder later, also for code that accepts only paths.
package struct FolderWalk: ~Copyable {
    /// The folder, as a place (`O_PATH`).
    package let folder: Descriptor
    /// Its absolute path, without links.
    package let path: String
    package let facts: FileSystem.Facts

    /// As the kernel's own limit (path_resolution(7)).
    private static let maximumLinks = 40

    /// - Parameter mode: makes folders that are missing: the last one with exactly this mode, those above it 0755 but for the
    ///   umask.
    package init(to path: String, makingMissing mode: UInt32) throws(FolderFault) {
        do throws(SystemError) {
            let start = path.hasPrefix("/") ? "/" : (FileSystem.realPath(".") ?? "/")
            var walk = try Steps(ahead: (start + "/" + path).split(separator: "/").filter { $0 != "." }.reversed())
            while let part = walk.ahead.popLast() { try walk.go(part) }
            let last = try walk.takeLast()
            try FileSystem.finish(last, mode: mode, naming: path)
            facts = try FileSystem.facts(of: last)
            folder = last
            self.path = "/" + walk.names.joined(separator: "/")
        } catch {
            throw FolderFault(error)
        }
    }

    /// The way so far.
    private struct Steps {
        final class Step {
            let folder: Descriptor
            init(_ folder: consuming Descriptor) { self.folder = folder }
        }

        /// The remaining parts, the next one last.
        var ahead: [Substring]
        var names: [Substring] = []
        private var steps: [Step]
        private var links = 0

        init(ahead: [Substring]) throws(SystemError) {
            self.ahead = ahead
            steps = [Step(try Descriptor.open("/", [.O_PATH, .O_DIRECTORY]))]
            try FolderFault.judge(FileSystem.facts(of: steps[0].folder), "/")
        }

        mutating func takeLast() throws(SystemError) -> Descriptor {
            try steps[steps.count - 1].folder.duplicate()
        }

        mutating func go(_ part: Substring) throws(SystemError) {
            if part == "." { return }
            if part == ".." {
                if !names.isEmpty {
                    names.removeLast()
                    steps.removeLast()
                }
                return
            }
            let here = "/" + (names + [part]).joined(separator: "/")
            let above = steps[steps.count - 1].folder.number
            let flags = FileSystem.pathOnly | O_NOFOLLOW | O_CLOEXEC
            var number = unsafe clinux_openat(above, String(part), flags, 0)
            if number == -ENOENT {
                let made = unsafe mkdirat(above, String(part), ahead.isEmpty ? FileSystem.unfinishedMode : 0o755)
                guard made == 0 || errno == EEXIST else { throw SystemError("mkdir", code: errno, object: here) }
                number = unsafe clinux_openat(above, String(part), flags, 0)
            }
            let file = Descriptor(adopting: try check(number, "open", here))
            let facts = try FileSystem.facts(of: file)
            if facts.mode & S_IFMT == S_IFLNK {
                try FolderFault.judge(facts, here)
                return try follow(file, here)
            }
            guard facts.isFolder else { throw SystemError("mkdir", code: ENOTDIR, object: here) }
            try FolderFault.judge(facts, here)
            names.append(part)
            steps.append(Step(file))
        }

        private mutating func follow(_ link: borrowing Descriptor, _ here: String) throws(SystemError) {
            links += 1
            guard links <= maximumLinks else { throw SystemError("open", code: ELOOP, object: here) }
            let target = try FileSystem.linkText(of: link, naming: here)
            if target.hasPrefix("/") {
                names.removeAll()
                steps.removeLast(steps.count - 1)
            }
            ahead += target.split(separator: "/").reversed()
        }
    }
}

/// Why a folder is not trusted, or cannot be had.
package enum FolderFault: Error, Sendable, Equatable {
    case system(SystemError)
    /// It, or a folder or link on its path, belongs to another user.
    case foreign(path: String, user: UInt32)
    /// Others may write it.
    case writable(path: String, isByAll: Bool)

    // Within the walk a fault is a system error whose call identifies it: one kind of error for one `do`.
    private static let foreignCall = "owner"
    private static let writableCall = "mode"

    init(_ error: SystemError) {
        switch error.call {
        case Self.foreignCall: self = .foreign(path: error.object, user: UInt32(bitPattern: error.code.rawValue))
        case Self.writableCall: self = .writable(path: error.object, isByAll: error.code == .EPERM)
        default: self = .system(error)
        }
    }

    /// - Throws: what `init` turns into a fault.
    static func judge(_ facts: FileSystem.Facts, _ path: String) throws(SystemError) {
        guard facts.user == 0 || facts.user == geteuid() else {
            throw SystemError(foreignCall, code: Int32(bitPattern: facts.user), object: path)
        }
        let isSticky = facts.mode & S_ISVTX != 0
        // A link's mode means nothing (symlink(7)).
        guard facts.isFolder && !isSticky else { return }
        try judgeMode(facts, path)
    }

    /// What others than root and this process's user could change about where a path leads: its folders and links, as they are
    /// named and as they really are. nil: nothing.
    package static func fault(onWayTo path: String) -> FolderFault? {
        do throws(SystemError) {
            for way in Set([path, FileSystem.realPath(path) ?? path]) {
                try judge(FileSystem.facts(ofPath: "/"), "/")
                var partial = ""
                for part in way.split(separator: "/") {
                    partial += "/" + part
                    try judge(FileSystem.facts(ofPath: partial), partial)
                }
            }
            return nil
        } catch {
            return FolderFault(error)
        }
    }

    /// What is wrong with a file that only root and this process's user may have made or may write; nil: nothing.
    package static func fault(ofFile facts: FileSystem.Facts, _ path: String) -> FolderFault? {
        do throws(SystemError) {
            try judge(facts, path)
            if !facts.isLink { try judgeMode(facts, path) }
            return nil
        } catch {
            return FolderFault(error)
        }
    }

    private static func judgeMode(_ facts: FileSystem.Facts, _ path: String) throws(SystemError) {
        if facts.mode & 0o002 != 0 { throw SystemError(writableCall, code: EPERM, object: path) }
        if facts.mode & 0o020 != 0 && !isOwn(group: facts.group) {
            throw SystemError(writableCall, code: EACCES, object: path)
        }
    }

    /// Whether an ordinary user has the group to himself, or shares it with root alone: with such groups the umask is often
    /// 002. Root trusts no group.
    private static func isOwn(group: UInt32) -> Bool {
        let user = geteuid()
        guard user != 0 else { return false }
        if group == 0 { return true }
        guard let entry = unsafe getgrgid(group) else { return group == user }
        let groupName = unsafe String(cString: entry.pointee.gr_name)
        guard let account = unsafe getpwuid(user) else { return false }
        let userName = unsafe String(cString: account.pointee.pw_name)
        var member = unsafe entry.pointee.gr_mem
        while let name = unsafe member?.pointee {
            if unsafe String(cString: name) != userName { return false }
            unsafe member = unsafe member?.advanced(by: 1)
        }
        return groupName == userName
    }
}
