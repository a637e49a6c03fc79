import Linux
import Record

/// The record's file and its log as they were when they were opened, by device and inode: that their paths still lead to them, and
/// that something is in the file, is seen with an `lstat` each. They are never opened for that: closing any descriptor of the file
/// drops SQLite's locks (fcntl(2)).
struct DatabasePlace {
    private let file: Place
    private let log: Place

    private struct Place {
        let path: KernelPath
        let device: UInt64
        let inode: UInt64
    }

    /// The smallest page of SQLite: the first one of a record is in the file before its log has anything.
    private static let leastSize = 512

    /// - Parameter path: of a database that was read: its log is there then.
    init(_ path: String) throws(StoreError) {
        file = try Self.place(path, of: path)
        log = try Self.place(path + "-wal", of: path)
    }

    private static func place(_ path: String, of database: String) throws(StoreError) -> Place {
        do throws(SystemError) {
            let facts = try FileSystem.facts(ofPath: path)
            return Place(path: KernelPath(path), device: facts.device, inode: facts.inode)
        } catch {
            throw StoreError(.cannotOpen, what: Database.opening, path: database, error.code)
        }
    }

    /// What has happened to the file; nil: nothing, or its path could not be looked at.
    func fileChange() -> StoreError.Change? {
        guard let (change, size) = Self.look(at: file) else { return nil }
        return change ?? (size < Self.leastSize ? .emptied : nil)
    }

    /// What has happened to the log; nil: nothing, or its path could not be looked at. Asked before SQLite adds to it: behind a part
    /// that is missing it would write at the old place.
    ///
    /// - Parameter size: the least that it should have, in bytes.
    func logChange(least size: UInt64) -> StoreError.Change? {
        guard let (change, present) = Self.look(at: log) else { return nil }
        if let change { return change == .removed ? .logRemoved : .logReplaced }
        return present < size ? .logCut : nil
    }

    private static func look(at place: Place) -> (change: StoreError.Change?, size: UInt64)? {
        do throws(SystemError) {
            let facts = try FileSystem.facts(of: place.path)
            return (facts.inode == place.inode && facts.device == place.device ? nil : .replaced, facts.size)
        } catch {
            return error.code == .ENOENT || error.code == .ENOTDIR ? (.removed, 0) : nil
        }
    }
}
