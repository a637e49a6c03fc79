import Fleet
import Linux
import Manifests
import TaskModel

/// Manifests that are rolled out to the host: files of a folder in its state folder, which is read and watched like those that
/// the user names. So they are there, too, when the database is out of reach. Thread: the loop's.
final class FleetManifests {
    private static let folderName = "fleet-manifests"
    private static let suffix = ".json"

    let folder: String
    /// The SHA-256 sums of those that are there, in hexadecimal digits, by application.
    private(set) var sums: [String: String] = [:]

    /// - Parameter state: the state folder.
    init(in state: String) throws(SystemError) {
        folder = state + "/" + Self.folderName
        try FileSystem.makeFolders(folder, mode: 0o700)
        try look()
    }

    /// Makes these the only ones. Who watches the folder installs them.
    func take(_ manifests: [FleetManifest]) throws(SystemError) {
        var kept: Set<String> = []
        for manifest in manifests {
            // The name of a file.
            guard (try? IdentifierSyntax.check(manifest.application)) != nil else { continue }
            let name = manifest.application + Self.suffix
            kept.insert(name)
            let path = folder + "/" + name
            let present = try? FileText.read(path, limit: FleetManifest.mostBytes)
            if present != manifest.text { try put(Array(manifest.text.utf8), at: path) }
        }
        for name in try FileSystem.names(in: folder) where !kept.contains(name) {
            try FileSystem.remove(folder + "/" + name)
        }
        try look()
    }

    /// Who reads it meanwhile gets the old text or the new one.
    private func put(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let part = path + ".part"
        try? FileSystem.remove(part)
        let file = try Descriptor.open(part, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: 0o600)
        try FileSystem.write(bytes, to: file, naming: part)
        try file.sync()
        try FileSystem.rename(part, to: path)
    }

    private func look() throws(SystemError) {
        sums = [:]
        for name in try FileSystem.names(in: folder) where name.hasSuffix(Self.suffix) {
            guard let sum = FileDigest.sha256(ofPath: folder + "/" + name) else { continue }
            sums[String(name.dropLast(Self.suffix.count))] = Hexadecimal.text(sum)
        }
    }
}
