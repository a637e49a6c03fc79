import CLinux
import Glibc
import Linux
import TaskModel

/// Opens the files that applications send: the host opens them, as the application's user, and no link leads out of what the
/// manifest grants.
enum UploadFile {
    /// - Parameters:
    ///   - roots: folders and files that the application may read, their real places.
    ///   - user: who opens it when the host is root; 0: the host.
    static func open(_ path: String, roots: [String], user: UInt32) throws(TransferRefusal) -> Descriptor {
        let wanted = GrantResolver.normalized(path)
        guard path.hasPrefix("/"),
            let root = roots.filter({ GrantResolver.lies(wanted, in: $0) }).max(by: { $0.count < $1.count })
        else {
            throw TransferRefusal(
                .noPermissionToReadFile,
                "the file to upload is outside of what the application may read; \(path); "
                    + "grant it in permissions.read")
        }
        let rest = wanted == root ? "" : String(wanted.dropFirst(root == "/" ? 1 : root.count + 1))
        let number = clinux_open_as(user, root, rest)
        guard number >= 0 else {
            switch -number {
            case ENOENT, ENOTDIR:
                throw TransferRefusal(.fileDoesNotExist, "the file to upload does not exist; \(path)")
            case EISDIR: throw TransferRefusal(.fileIsDirectory, "the file to upload is a folder; \(path)")
            case ELOOP, EXDEV:
                throw TransferRefusal(.noPermissionToReadFile, "the way to the file to upload has a link; \(path)")
            default:
                throw TransferRefusal(
                    .noPermissionToReadFile,
                    "the file to upload cannot be read; \(path); \(SystemError("open", code: -number))")
            }
        }
        let file = Descriptor(adopting: number)
        guard let facts = try? FileSystem.facts(of: file), facts.isFile else {
            throw TransferRefusal(.fileIsDirectory, "what is to be uploaded is no regular file; \(path)")
        }
        return file
    }
}
