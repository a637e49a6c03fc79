import Control
import Linux
import Manifests
import PageDoor
import Setting

/// Where a manifest is, or a new one will be, and what this user may do there.
struct ManifestSpot {
    /// Absolute.
    let folder: String
    let name: String
    /// The daemon has read a file there.
    let isListed: Bool

    var path: String { "\(folder)/\(name)" }

    /// A file that the daemon lists, or a new one directly in one of its folders.
    init(_ path: String, _ known: KnownManifests) throws(Problem) {
        isListed = known.has(path)
        guard let whole = known.absolute(path) else { throw .noSuchManifest(path) }
        let place = FilePlace(whole)
        (folder, name) = (place.folder, place.name)
        guard !isListed else { return }
        guard path.hasPrefix("/"), known.places.contains(folder), let identifier = Self.identifier(of: name),
            (try? IdentifierSyntax.check(identifier)) != nil, ManifestPath.isManifest(name)
        else {
            throw .unwritable(
                "a new manifest is IDENTIFIER.json in a folder that the daemon reads", path,
                "name one of \(known.places.joined(separator: ", "))")
        }
    }

    /// A new file of an application: in the first folder of the user's own, else in the first that he may write.
    ///
    /// - Throws: when there is none.
    init(of identifier: String, _ known: KnownManifests) throws(Problem) {
        let folders = known.places.filter { Self.why(folder: $0) == nil }
        let own = folders.first { (try? FileSystem.followedFacts(of: $0))?.user == ThisProcess.user }
        guard let folder = own ?? folders.first else {
            throw .unwritable(
                "the daemon reads no folder in which you may write", known.places.joined(separator: ", "),
                "create one, and name it to taskhost serve with --manifests")
        }
        self.folder = folder
        name = identifier + ".json"
        isListed = false
    }

    private static func identifier(of name: String) -> String? {
        name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : nil
    }

    // MARK: What is there

    /// The file's text, and what it is; no link out of its folder is followed. nil: there is none.
    func read() throws(Problem) -> (bytes: [UInt8], facts: FileSystem.Facts)? {
        do throws(SystemError) {
            let root = try Descriptor.open(folder, [.O_PATH, .O_DIRECTORY])
            let file = try FileSystem.open(beneath: root, name, [.O_RDONLY, .O_NONBLOCK])
            let facts = try FileSystem.facts(of: file)
            guard facts.isFile else { throw SystemError("open", code: .EISDIR, object: path) }
            return (try FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: path), facts)
        } catch {
            if error.code == .ENOENT, !isThere { return nil }
            throw .unwritable("the manifest cannot be read: \(error.code)", path, "read it as its owner")
        }
    }

    /// Whether the folder has the name, whatever it stands for.
    var isThere: Bool { (try? FileSystem.facts(ofPath: path)) != nil }

    // MARK: Whether it may be written

    /// Why this user cannot write it, and what to do by hand; nil: he can.
    var why: Problem? {
        if let why = Self.why(folder: folder) { return .unwritable(why, folder, "write the file as its owner") }
        guard let facts = try? FileSystem.facts(ofPath: path) else { return nil }
        if facts.isLink {
            return .unwritable("it is a symbolic link", path, "edit the file that it leads to by hand")
        }
        guard facts.isFile else { return .unwritable("it is no regular file", path, "put a file there by hand") }
        guard facts.user == ThisProcess.user || ThisProcess.isRoot else {
            return .unwritable("it belongs to user \(facts.user)", path, "edit it as that user")
        }
        guard facts.links == 1 else {
            return .unwritable("it has \(facts.links) names, which a new file would part", path, "edit it by hand")
        }
        return nil
    }

    /// Why nothing is written in a folder: others could have put something else in its place, or this user may not.
    private static func why(folder: String) -> String? {
        guard let facts = try? FileSystem.followedFacts(of: folder), facts.isFolder else { return "it is no folder" }
        switch FolderFault.fault(onWayTo: folder) {
        case .foreign(let path, let user): return "\(path) belongs to user \(user)"
        case .writable(let path, _): return "\(path) can be written by others"
        case .system(let error): return "\(error)"
        case nil: return FileSystem.allows(.write, to: folder) ? nil : "you may not write in the folder"
        }
    }
}
