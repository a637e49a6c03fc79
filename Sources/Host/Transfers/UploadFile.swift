import Linux
import TaskModel
import Wire

/// Opens the files that applications send, or that their manifests name for transfers: the host opens them, as the
/// application's user, and no link leads out of the manifest's grants.
enum UploadFile {
    /// - Parameters:
    ///   - roots: folders and files that the application may read, their real places.
    ///   - identity: as whom it is opened, in his own group alone.
    ///   - purpose: for display: `file to upload`.
    static func open(
        _ path: String, roots: [String], identity: WorkerIdentity, as purpose: String
    ) throws(TransferRefusal) -> Descriptor {
        let wanted = GrantResolver.normalized(path)
        guard path.hasPrefix("/"),
            let root = roots.filter({ GrantResolver.lies(wanted, in: $0) }).max(by: { $0.count < $1.count })
        else {
            throw TransferRefusal(
                .noPermissionToReadFile,
                "the \(purpose) is outside of what the application may read; \(path); "
                    + "grant it in permissions.read")
        }
        let rest = wanted == root ? "" : String(wanted.dropFirst(root == "/" ? 1 : root.count + 1))
        let file: Descriptor
        do throws(SystemError) {
            file = try FileSystem.open(as: identity.user, identity.group, in: root, rest)
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR:
                throw TransferRefusal(.fileDoesNotExist, "the \(purpose) does not exist; \(path); write it first")
            case .EISDIR:
                throw TransferRefusal(.fileIsDirectory, "the \(purpose) is a folder; \(path); name a file")
            case .ELOOP, .EXDEV:
                throw TransferRefusal(
                    .noPermissionToReadFile,
                    "the way to the \(purpose) has a link; \(path); name the file by its real path")
            default:
                throw TransferRefusal(
                    .noPermissionToReadFile,
                    "the \(purpose) cannot be read (\(error.code)); \(path); "
                        + "let the application's user read it")
            }
        }
        guard let facts = try? FileSystem.facts(of: file), facts.isFile else {
            throw TransferRefusal(.fileIsDirectory, "the \(purpose) is not a regular file; \(path); name one that is")
        }
        return file
    }
}
