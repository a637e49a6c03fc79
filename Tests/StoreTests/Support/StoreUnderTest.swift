import Record
import Store
import TaskModel
import TestSupport
import Testing

/// What a store keeps the record in.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
    case file
    /// A host's on a slow disk: its syncs overlap with later turns.
    case overlapping
    case memory
    /// As a store across a network: turns become durable later, in their order.
    case lateFile
    case lateMemory

    var testDescription: String { "\(self)" }
}

/// A store of one kind, and the host that writes to it.
final class StoreUnderTest {
    let kind: StoreKind
    private let folder: TemporaryFolder
    private let memory = MemoryStore()
    private let first: HostID
    /// Whose process has the record; nil: the host's that made it.
    private var owner: HostID?
    private var open: (any RecordStore)?
    private(set) var turn: UInt64 = 0
    /// The host's numbers, made anew by each host.
    private var names: RecordNames?

    init(_ kind: StoreKind) throws {
        self.kind = kind
        folder = try TemporaryFolder(isVolatile: true)
        first = memory.host
        try start()
    }

    var store: any RecordStore {
        get throws { try #require(open) }
    }

    private func start() throws {
        let kept: any RecordStore =
            switch kind {
            case .file, .lateFile: try Store(path: folder.database, of: owner)
            case .overlapping: try Store(path: folder.database, of: owner, access: .exclusive, overlaps: true)
            case .memory, .lateMemory: memory
            }
        memory.host = owner ?? first
        switch kind {
        case .file, .overlapping, .memory: open = kept
        case .lateFile, .lateMemory: open = try LateStore(kept) { .done(after: Int($0 * 7 % 4)) }
        }
        names = try RecordNames(from: kept.reader)
    }

    /// The host dies, and starts again; or another one starts with the record: nil: the one that made it.
    func restart(as host: HostID? = nil) throws {
        open = nil
        owner = host
        try start()
    }

    /// The number of a name; a new one is a write of the next turn.
    func task(_ identifier: String, of application: String) throws -> Int64 {
        try named { (names, reader) throws(StoreError) in
            try names.task(TaskName(identifier, of: application), in: reader)
        }
    }

    func application(_ identifier: String) throws -> Int64 {
        try named { (names, reader) throws(StoreError) in try names.application(identifier, in: reader) }
    }

    func setup(_ confinement: String?, degraded: String...) throws -> Int64 {
        try named { (names, reader) throws(StoreError) in
            try names.setup(RunSetup(confinement: confinement, degraded: degraded), in: reader)
        }
    }

    private func named(
        _ number: (inout RecordNames, any RecordReader) throws(StoreError) -> Int64
    ) throws -> Int64 {
        var known = try #require(names)
        defer { names = known }
        return try number(&known, store.reader)
    }

    /// Hands a turn over, which may become durable later.
    func begin(_ writes: [RecordWrite]) throws {
        turn += 1
        var record = TurnRecord(turn: turn)
        for name in names?.takeNew() ?? [] { record.append(name) }
        for write in writes { record.append(write) }
        try store.write(record)
    }

    /// Waits as a host does until every turn is durable.
    func settle() throws {
        let store = try store
        while store.durableTurn < turn {
            try #require(store.durabilityDescriptor != nil, "a store that wakes nobody has its turns durable at once")
            try store.settle()
        }
    }

    /// A turn, and waits until it is durable.
    func write(_ writes: RecordWrite...) throws {
        try begin(writes)
        try settle()
    }
}
