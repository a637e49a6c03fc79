import CSQLite

/// Statements of a connection that nobody uses at the moment, with their text: to prepare one takes longer than most take to run.
/// Thread: its connection's.
final class SpareStatements {
    /// Some kilobytes each; a run's questions and answers have fewer.
    private static let most = 24

    @safe private struct Spare {
        let sql: String
        let handle: OpaquePointer
    }

    /// The one that was used last stands last.
    private var spares: [Spare] = []
    private var isClosed = false

    /// Gives one of that text away; nil: there is none.
    func take(_ sql: String) -> OpaquePointer? {
        guard let index = spares.lastIndex(where: { $0.sql == sql }) else { return nil }
        return unsafe spares.remove(at: index).handle
    }

    /// Takes one over, and lets go of what is bound to it. Some pragmas do their work when they are prepared (sqlite.org/pragma.html):
    /// they are for one use.
    func put(_ sql: String, _ handle: OpaquePointer) {
        guard !isClosed, !sql.hasPrefix("PRAGMA") else { return unsafe Self.end(handle) }
        _ = unsafe sqlite3_reset(handle)  // it repeats the last step's error, which has been thrown already
        _ = unsafe sqlite3_clear_bindings(handle)  // cannot fail
        spares.append(unsafe Spare(sql: sql, handle: handle))
        if spares.count > Self.most { unsafe Self.end(spares.removeFirst().handle) }
    }

    /// Ends all; what is still in use ends with its use.
    func close() {
        isClosed = true
        for spare in spares { unsafe Self.end(spare.handle) }
        spares.removeAll()
    }

    private static func end(_ handle: OpaquePointer) { _ = unsafe sqlite3_finalize(handle) }
}
