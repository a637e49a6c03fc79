import Linux
import Record

/// The record's file as it was when it was opened, by device and inode: that the path still leads to it, and that something is in
/// it, is seen with one `lstat`. The file is never opened for that: closing any descriptor of it drops SQLite's locks (fcntl(2)).
struct DatabasePlace {
    private let path: KernelPath
    private let device: UInt64
    private let inode: UInt64

    /// The smallest page of SQLite: the first one of a record is in the file before its log has anything.
    private static let leastSize = 512

    init(_ path: String) throws(StoreError) {
        do throws(SystemError) {
            let facts = try FileSystem.facts(ofPath: path)
            (device, inode) = (facts.device, facts.inode)
        } catch {
            throw StoreError(.cannotOpen, what: Database.opening, path: path, error.code)
        }
        self.path = KernelPath(path)
    }

    /// What has happened to the file; nil: nothing, or the path could not be looked at.
    func change() -> StoreError.Change? {
        do throws(SystemError) {
            let facts = try FileSystem.facts(of: path)
            guard facts.inode == inode && facts.device == device else { return .replaced }
            return facts.size < Self.leastSize ? .emptied : nil
        } catch {
            return error.code == .ENOENT || error.code == .ENOTDIR ? .removed : nil
        }
    }
}
