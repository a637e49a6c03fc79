package import Record
package import TaskModel

extension MemoryStore: RecordReader {
    // MARK: Runs

    package func run(_ id: ULID) throws(StoreError) -> RunRecord? { unfinished.first { $0.id == id } }

    package func run(matching prefix: String) throws(StoreError) -> RunMatch {
        unfinished.first { $0.id.description.hasPrefix(prefix.uppercased()) }.map { .found($0) } ?? .missing
    }

    package func runs(matching filter: RunFilter, before: Int64?, limit: Int) throws(StoreError) -> Page<RunRecord> {
        Page(elements: Array(unfinished.reversed().prefix(limit)), next: nil)
    }

    package func output(of id: ULID) throws(StoreError) -> (bytes: [UInt8], dropped: UInt64) { ([], 0) }
    package func log(of id: ULID, from place: LogPlace, most: Int) throws(StoreError) -> [LogPart] { [] }
    package func inputs(of id: ULID) throws(StoreError) -> RunInputs { RunInputs() }
    package func outputSize(of id: ULID) throws(StoreError) -> (kept: Int, dropped: UInt64) { (0, 0) }
    package func newestMoment() throws(StoreError) -> Timestamp? { journal.last?.at }

    package func copy(to path: String) throws(StoreError) -> any RecordCopying {
        throw StoreError(.cannotOpen, what: "copy the record of runs", path: path, message: "it is in no file")
    }

    // MARK: Tasks

    package func taskRows(named name: String) throws(StoreError) -> Set<Int64> {
        Set(tasks.indices.filter { tasks[$0].identifier == name }.map { Int64($0) + 1 })
    }

    package func taskRows(ofApplication application: String) throws(StoreError) -> Set<Int64> {
        Set(tasks.indices.filter { tasks[$0].application == application }.map { Int64($0) + 1 })
    }

    package func taskRows(containing text: String) throws(StoreError) -> Set<Int64> {
        Set(tasks.indices.filter { tasks[$0].identifier.contains(text) }.map { Int64($0) + 1 })
    }

    package func place(ofRun id: ULID) throws(StoreError) -> Int64? { nil }

    package func identifiers(after identifier: String?, limit: Int) throws(StoreError) -> [String] {
        Array(tasks.map(\.identifier).filter { $0 > identifier ?? "" }.sorted().prefix(limit))
    }

    package func lastRun(of identifier: String) throws(StoreError) -> RunRecord? {
        unfinished.last { $0.identifier == identifier }
    }

    package func hasRuns(ofApplication application: String) throws(StoreError) -> Bool {
        unfinished.contains { $0.application == application }
    }

    package func medianLength(of identifier: String) throws(StoreError) -> TimeSpan? { nil }

    package func fileMarks(task: Int64) throws(StoreError) -> Set<FileMark> { fileMarks[task] ?? [] }

    /// It has no ended runs to count.
    package func newestRun() throws(StoreError) -> Int64? { nil }

    package func endedRuns(after sequence: Int64, upTo newest: Int64, limit: Int) throws(StoreError) -> [EndedRun] {
        []
    }

    package func taskIdentifier(row: Int64) throws(StoreError) -> String? { nil }

    // MARK: Requests and applications

    package func forEachRequest(_ body: (borrowing TaskRequest) -> Void) throws(StoreError) {
        for request in try requests(application: nil) { body(request) }
    }

    package func requests(application: String?) throws(StoreError) -> [TaskRequest] {
        let all =
            running.values.sorted { $0.identity > $1.identity } + waiting.values.sorted { $0.identity < $1.identity }
        return all.filter { application ?? $0.application == $0.application }
    }

    package func waitingRequest(identity: Int64) throws(StoreError) -> TaskRequest? { waiting[identity] }

    package func applications() throws(StoreError) -> [String: ApplicationMemory] {
        Dictionary(
            uniqueKeysWithValues: applicationNames.enumerated().map { place, name in
                (name, memories[Int64(place) + 1] ?? ApplicationMemory())
            })
    }

    // MARK: The host and its device

    package func journal(before: Int64?, limit: Int) throws(StoreError) -> Page<JournalEntry> {
        Page(elements: Array(journal.reversed().prefix(limit)), next: nil)
    }

    package func terminations(
        application: String?, before: Int64?, limit: Int
    ) throws(StoreError) -> Page<Termination> {
        let wanted = terminations.reversed().filter { application ?? $0.application == $0.application }
        return Page(elements: Array(wanted.prefix(limit)), next: nil)
    }

    package func lastTermination(of application: String) throws(StoreError) -> Termination? {
        terminations.last { $0.application == application }
    }

    package func deviceLog(before: Int64?, limit: Int) throws(StoreError) -> Page<DeviceLogEntry> {
        Page(elements: [], next: nil)
    }

    package func pausedWork() throws(StoreError) -> [PausedWork: WorkPause] { paused }
    package func overrides() throws(StoreError) -> [ConditionName: String] { [:] }
}
