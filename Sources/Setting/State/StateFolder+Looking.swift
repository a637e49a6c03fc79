import Control
import Linux

// The state of a folder, read without changing it.
extension StateFolder {
    /// What a read-only verb finds.
    package enum Sight: Sendable, Equatable {
        /// There is no folder, or an empty one: nothing was ever recorded there.
        case nothing
        /// A state folder; its path without links.
        case state(path: String)
    }

    /// Inspects a folder. Nothing is created.
    ///
    /// - Throws: `.stateIsForeign` for a folder of something else, `.stateUnusable` when it cannot be read.
    package static func look(at folder: String) throws(HostError) -> Sight {
        do throws(SystemError) {
            let place = try Descriptor.open(folder, [.O_PATH, .O_DIRECTORY])
            let path = FileSystem.realPath(folder) ?? folder
            if try FileSystem.facts(at: place, databaseName) != nil { return .state(path: path) }
            guard try isUsable(place, path) else { throw notOurs }
            return .nothing
        } catch {
            if error == notOurs { throw .stateIsForeign(path: folder) }
            if error.code == .ENOENT { return .nothing }
            throw .stateUnusable(path: folder, error)
        }
    }

    /// Represents a folder of another program among the errors of system calls.
    static let notOurs = SystemError("no state folder", code: .EEXIST)

    /// Whether a host may keep its state there: it has a record, was a state folder whose record was moved away, or is empty
    /// except for files of the file system and of an interrupted start.
    static func isUsable(_ folder: borrowing Descriptor, _ path: String) throws(SystemError) -> Bool {
        if try FileSystem.facts(at: folder, databaseName) != nil { return true }
        let names = Set(try FileSystem.names(in: folder, naming: path))
        if names.isSubset(of: [
            "lost+found", applicationsName, lockName, ControlSocket.fileName, WorkerLedger.fileName,
        ]) {
            if !names.contains(applicationsName) || names.contains(lockName) { return true }
            // A folder of that name alone may belong to any program.
            return try isEmpty(applicationsName, in: folder, path)
        }
        return names.contains(applicationsName) && holdsOurLock(folder, path)
    }

    private static func isEmpty(
        _ name: String, in folder: borrowing Descriptor, _ path: String
    ) throws(SystemError) -> Bool {
        let inner = path + "/" + name
        return try FileSystem.names(in: FileSystem.openFolder(at: folder, name, naming: inner), naming: inner).isEmpty
    }

    /// A lock of ours contains a process's number.
    private static func holdsOurLock(_ folder: borrowing Descriptor, _ path: String) -> Bool {
        guard let lock = try? FileText.open(at: folder.number, lockName, [.O_RDONLY, .O_NOFOLLOW, .O_NONBLOCK]),
            (try? FileSystem.facts(of: lock))?.isFile == true,
            let text = try? FileSystem.read(lock, limit: 64, naming: path)
        else { return false }
        return text.count > 1 && text.last == UInt8(ascii: "\n")
            && Int32(String(decoding: text.dropLast(), as: UTF8.self)) != nil
    }
}
