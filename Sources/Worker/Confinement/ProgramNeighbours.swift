import Confining
import Linux

/// The programs in a program's own folder, which it may execute as well. Not the folder: that may be a user's home.
struct ProgramNeighbours {
    private(set) var names: [String] = []

    /// How many entries are looked at.
    static let maximum = 256

    /// The folders of these programs, without those of the system and those that everybody may write.
    static func folders(of programs: [String]) -> [String] {
        var folders: [String] = []
        for program in programs {
            let path = GrantResolver.normalized(program)
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { continue }
            let folder = String(path[..<slash])
            guard !folders.contains(folder),
                !SystemGrants.programFolders.contains(where: { GrantResolver.lies(folder, in: $0) }),
                let facts = try? FileSystem.followedFacts(of: folder), facts.mode & 0o002 == 0,
                (try? FileSystem.followedFacts(of: path))?.isFile == true
            else { continue }
            folders.append(folder)
        }
        return folders
    }

    /// Reads the folder; one that cannot be read has none.
    init(in folder: String) {
        guard let opened = try? Descriptor.open(folder, [.O_PATH, .O_DIRECTORY]),
            let entries = try? FolderEntries(of: opened)
        else { return }
        var seen = 0
        while seen < Self.maximum, let (bytes, kind) = entries.next() {
            seen += 1
            // Links are skipped: their targets are found under their own names or are elsewhere.
            guard kind == .file || kind == .unknown else { continue }
            let name = String(decoding: bytes, as: UTF8.self)
            guard let facts = try? FileSystem.facts(ofPath: "\(folder)/\(name)"), facts.isFile, facts.mode & 0o111 != 0
            else { continue }
            names.append(name)
        }
    }
}
