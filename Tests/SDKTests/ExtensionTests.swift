import CTaskHost
import TaskHostRuntime
import Testing

/// A table that has grown since its first version, as a plugin of tomorrow sees that of a host of today.
private struct Grown {
    var first: taskhost_lifecycle_t
    var later: (@convention(c) () -> UInt32)?
    var number: UInt64
}

@Suite("A table of services")
struct ExtensionTests {
    private static let old = taskhost_lifecycle_t(
        struct_size: 48, abi_version: 1, state: { 3 }, background_refresh: { 2 }, begin_assertion: { _, _, _ in 5 },
        end_assertion: { Int32($0) }, background_time_remaining: { 29 }, perform_expiring_activity: nil,
        open_assertions: nil, set_minimum_fetch_interval: nil, complete_event: nil, watch_network: nil,
        watch_suspension: nil)

    private static func read<Theirs, Ours>(_ table: Theirs, as type: Ours.Type) -> Ours? {
        withUnsafeBytes(of: table) { bytes in
            bytes.baseAddress.flatMap { ExtensionTable.read($0, as: type, first: 48) }?.pointee
        }
    }

    @Test("of an older host is read as far as it goes, and what it lacks is not there")
    func older() throws {
        let grown = try #require(Self.read(Self.old, as: Grown.self))
        #expect(grown.first.struct_size == 48 && grown.first.state() == 3 && grown.first.end_assertion(7) == 7)
        #expect(grown.first.open_assertions == nil && grown.later == nil && grown.number == 0)
    }

    @Test("of a newer host is read as far as it is known")
    func newer() throws {
        var table = Grown(first: Self.old, later: { 1 }, number: .max)
        table.first.struct_size = UInt32(MemoryLayout<Grown>.size)
        let known = try #require(Self.read(table, as: taskhost_lifecycle_t.self))
        #expect(known.struct_size == 112 && known.background_time_remaining() == 29)
    }

    @Test("that is shorter than any released one is none")
    func broken() throws {
        var table = Self.old
        table.struct_size = 47
        #expect(Self.read(table, as: Grown.self) == nil)
    }
}
