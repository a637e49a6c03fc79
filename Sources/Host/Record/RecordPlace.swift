import Linux
import Record
import Setting

/// The record's files in a state folder, looked at before SQLite opens any: it would make an empty record where a used one is
/// missing, and throw away a log beside an empty one.
struct RecordPlace {
    private let path: String
    private let folder: String

    /// A file of this name lets a host begin a new record in a used folder. The host removes it.
    static let wishName = "new-record"
    /// A file of this name says that there was a record: requests and pauses leave nothing else in the folder.
    private static let markName = "has-record"

    /// - Parameter path: of the database.
    init(_ path: String) {
        self.path = path
        folder = String(path.dropLast(StateFolder.databaseName.count + 1))
    }

    private var wish: String { folder + "/" + Self.wishName }
    private var mark: String { folder + "/" + Self.markName }

    /// - Throws: `stateIsUntrusted` for a file that others have a hand in, `recordIsMissing` when there was more than is there.
    func examine() throws(HostError) {
        var sizes: [UInt64] = []
        for end in ["", "-wal", "-shm"] {
            let facts = try facts(path + end)
            if let facts, let fault = FolderFault.fault(ofFile: facts, path + end) {
                throw .stateIsUntrusted(path: folder, fault)
            }
            sizes.append(facts?.size ?? 0)
        }
        guard sizes[0] == 0, try facts(wish) == nil else { return }
        // Folders of earlier versions have no mark.
        if sizes[1] == 0, try facts(mark) == nil, try !hasApplications() { return }
        throw .recordIsMissing(path: path, wish: wish)
    }

    /// Without following a link; nil: there is nothing.
    private func facts(_ path: String) throws(HostError) -> FileSystem.Facts? {
        do throws(SystemError) {
            return try FileSystem.facts(ofPath: path)
        } catch {
            guard error.code == .ENOENT else { throw .stateUnusable(path: folder, error) }
            return nil
        }
    }

    private func hasApplications() throws(HostError) -> Bool {
        do throws(SystemError) {
            return try !FileSystem.names(in: folder + "/" + StateFolder.applicationsName).isEmpty
        } catch {
            guard error.code == .ENOENT else { throw .stateUnusable(path: folder, error) }
            return false
        }
    }

    /// The record is there: whoever wished for a new one has it. A mark that is there stays; one that
    /// cannot be made is made at the next start.
    func settle() {
        try? FileSystem.remove(wish)
        _ = try? Descriptor.open(mark, [.O_CREAT, .O_EXCL, .O_WRONLY], mode: 0o600)
    }
}
