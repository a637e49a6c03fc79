/// A file whose text is handed to others as it is now.
package enum SecretFile {
    /// Bytes of one at most.
    package static let most = 1 << 20

    /// A copy of the file in memory that nobody can change. No link is followed on the way, so that who may write a folder
    /// on it cannot choose another file.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - name: what the copy is called in /proc.
    /// - Throws: those of openat2(2); `kind`, `links`, `mode` and `size` for a file that is none that may be handed over.
    package static func copy(_ path: String, name: String) throws(SystemError) -> Descriptor {
        let file = try open(path)
        var bytes: [UInt8] = []
        while bytes.count <= most {
            let part = try file.read(64 << 10)
            guard !part.isEmpty else { break }
            bytes += part
        }
        guard bytes.count <= most else { throw SystemError("size", code: .EPERM, object: path) }
        return try MemoryFile.sealed(bytes, name: name)
    }

    /// Whether a copy could be made now; none of the text is read.
    ///
    /// - Throws: as `copy` does.
    package static func examine(_ path: String) throws(SystemError) { _ = try open(path) }

    private static func open(_ path: String) throws(SystemError) -> Descriptor {
        let file = try FileSystem.open(as: 0, 0, in: "/", String(path.drop { $0 == "/" }))
        let facts = try FileSystem.facts(of: file)
        func require(_ holds: Bool, _ what: String) throws(SystemError) {
            guard holds else { throw SystemError(what, code: .EPERM, object: path) }
        }
        try require(facts.isFile, "kind")
        // A second name may be in a folder of somebody who could not read the file.
        try require(facts.links == 1, "links")
        try require(facts.mode & 0o007 == 0, "mode")
        try require(facts.size <= most, "size")
        return file
    }
}
