import Glibc

/// Gives a user's files in a folder to another user: those of others, and files with several names, stay as they are, since
/// their user may have brought them there by a link. Follows no link.
///
/// *Blocks* for as long as the folder takes to be walked through, a few microseconds an entry.
package struct FolderHandover: Sendable {
    /// Entries that are given at most.
    package static let mostEntries = 100_000
    /// Folders within folders; each takes a descriptor.
    private static let deepest = 64
    /// AT_EMPTY_PATH, which Glibc's Swift module lacks.
    private static let emptyPath: Int32 = 0x1000

    private let former: UInt32
    private let user: UInt32
    private let group: UInt32
    private var left = Self.mostEntries

    package init(from former: UInt32, to user: UInt32, group: UInt32) {
        self.former = former
        self.user = user
        self.group = group
    }

    /// Gives what is in a folder, not the folder itself.
    ///
    /// - Parameter folder: `O_PATH` will do.
    /// - Throws: E2BIG when it has too many entries, ELOOP when it is too deep; what was given until then stays given.
    package mutating func give(
        contentsOf folder: borrowing Descriptor, naming path: String
    ) throws(SystemError) {
        try give(contentsOf: folder, path, depth: 0)
    }

    private mutating func give(
        contentsOf folder: borrowing Descriptor, _ path: String, depth: Int
    ) throws(SystemError) {
        guard depth < Self.deepest else { throw SystemError("chown", code: .ELOOP, object: path) }
        let readable = try FileSystem.open(at: folder, ".", [.O_RDONLY, .O_DIRECTORY], naming: path)
        for name in try FileSystem.names(in: readable, naming: path) {
            left -= 1
            guard left >= 0 else { throw SystemError("chown", code: .E2BIG, object: path) }
            let entry: Descriptor
            do throws(SystemError) {
                entry = try FileSystem.open(at: folder, name, [.O_PATH, .O_NOFOLLOW], naming: path + "/" + name)
            } catch {
                if error.code == .ENOENT { continue }
                throw error
            }
            let facts = try FileSystem.facts(of: entry)
            guard facts.user == former, facts.isFolder || facts.links == 1 else { continue }
            // The open file, and not whatever has its name by now.
            guard unsafe fchownat(entry.number, "", user, group, Self.emptyPath) == 0 else {
                throw SystemError("chown", code: errno, object: path + "/" + name)
            }
            if facts.isFolder { try give(contentsOf: entry, path + "/" + name, depth: depth + 1) }
        }
    }
}
