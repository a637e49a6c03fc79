import Linux
import Setting
import TaskModel

/// A manifest that a verb writes, in one piece.
enum ManifestFile {
    /// Before anything is done for it.
    static func check(_ path: String) throws(Failure) {
        let folder = FilePlace(path).folder
        guard FileSystem.allows(.write, to: folder) else {
            throw .cannotCreate(
                "the manifest cannot be written; \(folder): you may not write there; run it as a user who may, or leave --write out"
            )
        }
    }

    /// It keeps its mode and its owner.
    static func write(_ text: String, to path: String) throws(Failure) {
        let part = path + ".part"
        do throws(SystemError) {
            let facts = try? FileSystem.facts(ofPath: path)
            try? FileSystem.remove(part)
            let file = try Descriptor.open(part, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: (facts?.mode ?? 0o644) & 0o755)
            try FileSystem.write(Array((text + "\n").utf8), to: file, naming: part)
            if let facts, facts.user != ThisProcess.user {
                try FileSystem.changeOwner(part, user: facts.user, group: facts.group)
            } else if let facts, facts.group != ThisProcess.group {
                // A group that its owner is no member of is lost.
                try? FileSystem.changeOwner(part, user: facts.user, group: facts.group)
            }
            try FileSystem.rename(part, to: path)
        } catch {
            throw .cannotCreate("the manifest cannot be written; \(error); write it as a user who may, or by hand")
        }
    }
}
