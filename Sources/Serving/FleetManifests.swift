import Fleet
import Linux
import Manifests
import Setting
import TaskModel

/// Manifests that are rolled out to the host: files of a folder in its state folder, which is read and watched like those that
/// the user names. So they are there, too, when the database is out of reach. Thread: the loop's.
final class FleetManifests {
    private static let suffix = ".json"

    let folder: String
    /// The SHA-256 sums of those that are there, in hexadecimal digits, by application.
    private(set) var sums: [String: String] = [:]

    /// - Parameter state: the state folder.
    init(in state: String) throws(SystemError) {
        folder = state + "/" + AccountRules.rolledOutFolder
        try FileSystem.makeFolders(folder, mode: 0o700)
        try look()
    }

    /// Makes these the only ones. Who watches the folder installs them. What goes wrong with one does not hold up the others.
    ///
    /// - Throws: what went wrong first, after all else is done.
    func take(_ manifests: [FleetManifest]) throws(SystemError) {
        var fault: SystemError?
        func attempt(_ step: () throws(SystemError) -> Void) {
            do throws(SystemError) { try step() } catch { fault = fault ?? error }
        }
        // An identifier is the name of a file.
        let valid = manifests.filter { (try? IdentifierSyntax.check($0.application)) != nil }
        let kept = Set(valid.map { $0.application + Self.suffix })
        // First: that may make room.
        for name in try FileSystem.names(in: folder) where !kept.contains(name) {
            attempt { () throws(SystemError) in try FileSystem.remove(folder + "/" + name) }
        }
        for manifest in valid {
            let path = folder + "/" + manifest.application + Self.suffix
            let present = try? FileText.read(path, limit: FleetManifest.mostBytes)
            guard present != manifest.text else { continue }
            attempt { () throws(SystemError) in try put(Array(manifest.text.utf8), at: path) }
        }
        try look()
        if let fault { throw fault }
    }

    /// Who reads it meanwhile gets the old text or the new one.
    private func put(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let part = folder + "/.part"
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
