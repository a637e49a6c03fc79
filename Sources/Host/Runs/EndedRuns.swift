import TaskModel

/// The runs that a worker completed last: a plugin may break a rule of the interface after it has completed, and the note of
/// that belongs to the run all the same. Fixed in size; remembering allocates nothing.
struct EndedRuns {
    private struct Entry: BitwiseCopyable {
        var run: RunHandle
        var id: ULID
        var ended: Instant
        var notes: UInt8
    }

    private static let count = 8
    /// Notes taken for one run after its end.
    private static let mostNotes: UInt8 = 4
    /// Later notes are dropped. No run is forgotten by the record this soon for its age.
    static let memory = TimeSpan.seconds(10)

    private var entries: InlineArray<8, Entry?> = .init(repeating: nil)
    private var next = 0

    mutating func append(_ run: RunHandle, _ id: ULID, at now: Instant) {
        entries[next] = Entry(run: run, id: id, ended: now, notes: 0)
        next = (next + 1) % Self.count
    }

    /// The run that ended last.
    var newest: RunHandle? { entries[(next + Self.count - 1) % Self.count]?.run }

    /// The id of a run, if it is one of them.
    func id(of run: RunHandle) -> ULID? {
        for index in entries.indices where entries[index]?.run == run { return entries[index]?.id }
        return nil
    }

    /// The id of the run that a late note is about; nil when none is taken for it any more.
    mutating func takeNote(for run: RunHandle, at now: Instant) -> ULID? {
        for index in entries.indices {
            guard let entry = entries[index], entry.run == run, entry.notes < Self.mostNotes,
                now - entry.ended < Self.memory
            else { continue }
            entries[index]?.notes += 1
            return entry.id
        }
        return nil
    }
}
