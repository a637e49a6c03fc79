import TaskModel

/// Workers that the engine wants and that are not launched yet: a turn launches few, so that other work gets its turn.
struct LaunchQueue {
    struct Entry: Equatable {
        var worker: WorkerHandle
        var application: ApplicationIndex
        var memory: ByteCount
        /// Made ahead: no run waits for it.
        var isSpare = false
    }

    private var entries: [Entry] = []
    /// Those before it were taken.
    private var start = 0
    /// Those that wait for an answer about their application.
    private var held: [Entry] = []

    /// Whether none can be launched now.
    var isEmpty: Bool { start == entries.count }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Keeps one that was taken until its application is released.
    mutating func hold(_ entry: Entry) { held.append(entry) }

    /// The answer has arrived: its waiting launches are checked again.
    mutating func release(_ application: ApplicationIndex) {
        entries += held.filter { $0.application == application }
        held.removeAll { $0.application == application }
    }

    mutating func popFirst() -> Entry? {
        guard start < entries.count else { return nil }
        defer {
            start += 1
            if start == entries.count {
                entries.removeAll(keepingCapacity: true)
                start = 0
            }
        }
        return entries[start]
    }

    func contains(_ worker: WorkerHandle) -> Bool { index(of: worker) != nil }

    /// Whether it was still waiting, which it does no more.
    mutating func remove(_ worker: WorkerHandle) -> Bool {
        if let index = held.firstIndex(where: { $0.worker == worker }) {
            held.remove(at: index)
            return true
        }
        guard let index = index(of: worker) else { return false }
        entries.remove(at: index)
        return true
    }

    mutating func setMemory(_ memory: ByteCount, of worker: WorkerHandle) {
        change(worker) { $0.memory = memory }
    }

    /// A run waits for it now.
    mutating func adopt(_ worker: WorkerHandle, _ memory: ByteCount) {
        change(worker) { ($0.isSpare, $0.memory) = (false, memory) }
    }

    private mutating func change(_ worker: WorkerHandle, _ body: (inout Entry) -> Void) {
        if let index = index(of: worker) { body(&entries[index]) }
        if let index = held.firstIndex(where: { $0.worker == worker }) { body(&held[index]) }
    }

    private func index(of worker: WorkerHandle) -> Int? {
        entries[start...].firstIndex { $0.worker == worker }
    }
}
