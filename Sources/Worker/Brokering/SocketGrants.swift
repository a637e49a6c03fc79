import Linux

/// The Unix sockets that an application may connect to, as they really are.
struct SocketGrants {
    /// Without links.
    private let places: [String]

    /// - Parameters:
    ///   - paths: as the manifest names them.
    ///   - foreign: folders that applications may write: a link there could lead anywhere, and none is followed.
    init(_ paths: [String], foreign: Set<String>) {
        // The last part is the socket itself: a link in its place is no grant of what it leads to.
        places = paths.map(GrantResolver.normalized).compactMap { path in
            guard let slash = path.lastIndex(of: "/") else { return nil }
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            let real = GrantResolver(foreign: foreign).places(write: [], read: [folder]) { _, _ in }.read.first
            return real.map { ($0 == "/" ? "" : $0) + path[slash...] }
        }
    }

    /// The socket that is granted and lies there now, as an `O_PATH` descriptor; nil: there is none.
    func open(_ place: String) -> Descriptor? {
        guard places.contains(place), let file = try? Folder.openWithoutLinks(place),
            (try? FileSystem.facts(of: file))?.isSocket == true
        else { return nil }
        return file
    }
}
