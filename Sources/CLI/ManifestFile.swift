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
        do throws(SystemError) {
            try put(Array((text + "\n").utf8), at: path, instead: try? FileSystem.facts(ofPath: path))
        } catch {
            throw .cannotCreate("the manifest cannot be written; \(error); write it as a user who may, or by hand")
        }
    }

    /// Who reads it meanwhile gets the old text or the new one, and when this returns the new one is on the disk.
    ///
    /// - Parameter former: the file that it takes the place of, whose mode and owner it gets, without others' right to write;
    ///   nil: the file is new.
    /// - Throws: `EEXIST` when there is one that should not be.
    static func put(
        _ bytes: [UInt8], at path: String, instead former: FileSystem.Facts?, isNew: Bool = false
    ) throws(SystemError) {
        let part = path + ".part"
        let place = FilePlace(path)
        try? FileSystem.remove(part)
        do throws(SystemError) {
            let mode = (former?.mode ?? 0o644) & 0o755
            let file = try Descriptor.open(part, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: mode)
            try FileSystem.write(bytes, to: file, naming: part)
            if let former {
                if former.user != ThisProcess.user {
                    try FileSystem.changeOwner(part, user: former.user, group: former.group)
                } else if former.group != ThisProcess.group {
                    // A group that its owner is no member of is lost.
                    try? FileSystem.changeOwner(part, user: former.user, group: former.group)
                }
                // The mask of this process is not the file's.
                try FileSystem.changeMode(part, mode)
            }
            try file.sync()
            let folder = try Descriptor.open(place.folder, [.O_RDONLY, .O_DIRECTORY])
            if isNew {
                try FileSystem.renameNew(at: folder, place.name + ".part", to: place.name, in: folder)
            } else {
                try FileSystem.rename(part, to: path)
            }
            // The name as well; where folders cannot be told so, it comes with the next write of the disk's log.
            try? folder.sync()
        } catch {
            try? FileSystem.remove(part)
            throw error
        }
    }
}
