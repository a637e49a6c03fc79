import Control
import JSON
import Linux

/// Where manifests go that a verb writes.
enum ManifestDestination {
    /// Where manifests go: to the folder that the host reads, so that it serves them, or else to the user's own.
    static func folder(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> String {
        if let given = arguments.value("--directory") { return given }
        let own = try Places.folder("XDG_CONFIG_HOME", ".config") + "/taskhost/manifests"
        guard let client = try HostAccess.openIfServed(arguments) else { return own }
        let served = try client.document(.host)["manifests"]?.array?.compactMap(\.string) ?? []
        if let folder = served.first(where: isWritable) { return folder }
        terminal.note(
            "note: the host reads manifests from \(served.joined(separator: ", ")), which you may not write; it does not see those in "
                + "\(own)")
        return own
    }

    private static func isWritable(_ path: String) -> Bool {
        (try? FileSystem.followedFacts(of: path))?.isFolder == true && FileSystem.allows(.write, to: path)
    }

    static func write(_ text: String, _ application: String, to folder: String, replaces: Bool) throws(Failure)
        -> String
    {
        let path = "\(folder)/\(application).json"
        try make(folder)
        do throws(SystemError) {
            let flags: OpenFlags = [.O_WRONLY, .O_CREAT, replaces ? .O_TRUNC : .O_EXCL]
            let file = try Descriptor.open(path, flags, mode: 0o644)
            _ = try file.write(Array(text.utf8) + [0x0A], at: 0)
        } catch {
            if error.code == .EEXIST {
                throw .cannotCreate(
                    "the manifest exists; \(path); choose another name, or replace it with --force")
            }
            throw .cannotCreate("the manifest cannot be written; \(error); name a folder with --directory")
        }
        return path
    }

    /// Makes the folder, if it is missing.
    static func make(_ folder: String) throws(Failure) {
        do throws(SystemError) {
            try FileSystem.makeFolders(folder, mode: 0o755)
        } catch {
            throw .cannotCreate("the folder of the manifest cannot be made; \(error); name another with --directory")
        }
    }
}
