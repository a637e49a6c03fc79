import Linux
package import Record
package import Setting
import Store
import TaskModel

/// The record belongs to one host alone: no other process can delay its commits.
package enum RecordOpening {
    /// A way to open the store of a record.
    ///
    /// - `path`: of its file.
    /// - `makeRoom`: finds room on a full disk, see `Store`.
    /// - `say`: receives a message about steps that take long.
    package typealias Way = (
        _ path: String, _ makeRoom: @escaping () -> Bool, _ say: @escaping (String) -> Void
    ) throws(HostError) -> any RecordStore

    /// How long to wait for another process's lock before a message, and afterwards. A verb that reads the file has it for a
    /// moment; a shell on it may have it for days.
    private static let quietWait = TimeSpan.seconds(1)
    private static let toldWait = TimeSpan.seconds(30)

    /// Opens the record in its file. If another process has it open, waits and names the process in one sentence.
    package static func open(
        _ path: String, _ makeRoom: @escaping () -> Bool, _ say: @escaping (String) -> Void
    ) throws(HostError) -> any RecordStore {
        let store = try file(path, .current, makeRoom, say)
        store.willCommit = { Failpoint.pass(.commitBefore) }
        store.aroundSync({ Failpoint.pass(.syncBefore) }, { Failpoint.pass(.syncAfter) })
        return store
    }

    /// The same of a host with a virtual clock.
    package static func openVirtual(
        _ path: String, _ makeRoom: @escaping () -> Bool, _ say: @escaping (String) -> Void
    ) throws(HostError) -> any RecordStore { try file(path, .virtual, makeRoom, say) }

    private static func file(
        _ path: String, _ schema: RecordSchema, _ makeRoom: @escaping () -> Bool, _ say: @escaping (String) -> Void
    ) throws(HostError) -> Store {
        let place = RecordPlace(path)
        try place.examine()
        let store = try opened(path, schema, makeRoom, say)
        place.settle()
        return store
    }

    private static func opened(
        _ path: String, _ schema: RecordSchema, _ makeRoom: @escaping () -> Bool, _ say: @escaping (String) -> Void
    ) throws(HostError) -> Store {
        do throws(StoreError) {
            return try Store(
                path: path, schema: schema, access: .exclusive, overlaps: Failpoint.overlapsSyncs, patience: quietWait,
                say: say, makeRoom: makeRoom)
        } catch {
            guard error.kind == .locked else { throw .store(error) }
        }
        let holder = holder(of: path)
        say("waiting for the record of runs; \(path): \(holder); let it close the file, or end it")
        do throws(StoreError) {
            return try Store(
                path: path, schema: schema, access: .exclusive, overlaps: Failpoint.overlapsSyncs, patience: toldWait,
                say: say, makeRoom: makeRoom)
        } catch {
            guard error.kind == .locked else { throw .store(error) }
            throw .recordIsHeld(path: path, holder: self.holder(of: path))
        }
    }

    /// Who has the file, as a clause. Only while this process has no lock on it, for closing it drops them all.
    private static func holder(of path: String) -> String {
        // The bytes that SQLite locks (sqlite.org/fileformat2.html, "The Lock-Byte Page").
        guard let file = try? Descriptor.open(path, .O_RDWR),
            case .process(let pid) = file.lockHolder(start: 1 << 30, length: 512)
        else { return "another process has it open" }
        let name = ProcessStatus.name(of: pid).map { " (\($0))" } ?? ""
        return "process \(pid)\(name) has it open"
    }
}
