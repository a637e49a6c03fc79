import Linux
import Setting

/// Whether a folder that the user did not name is ours: other programs have a `./manifests` too.
enum ManifestFolder {
    /// How many files are read before a folder counts as another program's, and how many bytes of each.
    private static let mostFiles = 256
    private static let mostBytes = 1 << 20

    /// Whether it is a folder with a manifest in it, sound or not.
    static func isOurs(_ path: String) -> Bool {
        guard let names = try? FileSystem.names(in: path) else { return false }
        return names.lazy.filter(ManifestPath.isManifest).prefix(mostFiles).contains { looksLikeOurs("\(path)/\($0)") }
    }

    /// A manifest with a syntax error counts too, so that the error is reported: this searches for the words, without
    /// parsing.
    private static func looksLikeOurs(_ path: String) -> Bool {
        guard let file = try? Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK]),
            (try? FileSystem.facts(of: file).isFile) == true,
            let bytes = try? FileSystem.read(file, limit: mostBytes, naming: path)
        else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains(#""identifier""#)
            && (text.contains(#""tasks""#) || text.contains(#""library""#) || text.contains(#""backgroundModes""#))
    }
}
