package import Record
package import TaskModel

extension MemoryStore: RecordReader {
    // MARK: Runs

    package func run(_ id: ULID) throws(StoreError) -> RunRecord? { unfinished.first { $0.id == id } }

    package func run(matching prefix: String) throws(StoreError) -> RunMatch {
        unfinished.first { $0.id.description.hasPrefix(prefix.uppercased()) }.map { .found($0) } ?? .missing
    }

    package func runs(matching filter: RunFilter, before: ULID?, limit: Int) throws(StoreError) -> RunPage {
        let older = unfinished.reversed().filter { run in before.map { run.id < $0 } ?? true }.prefix(limit)
        return RunPage(elements: Array(older), next: older.count == limit ? older.last?.id : nil)
    }

    package func run(ofEarlierPlace number: Int64) throws(StoreError) -> ULID? { nil }

    package func output(of id: ULID) throws(StoreError) -> (bytes: [UInt8], dropped: UInt64) { ([], 0) }
    package func log(of id: ULID, from place: LogPlace, most: Int) throws(StoreError) -> [LogPart] { [] }
    package func inputs(of id: ULID) throws(StoreError) -> RunInputs { RunInputs() }
    package func outputSize(of id: ULID) throws(StoreError) -> (kept: Int, dropped: UInt64) { (0, 0) }
    package func newestMoment() throws(StoreError) -> Timestamp? { journal.last?.at }

    package func copy(to path: String) throws(StoreError) -> any RecordCopying {
        throw StoreError(.cannotOpen, what: "copy the record of runs", path: path, message: "it is in no file")
    }

    // MARK: Names

    package func highestNames() throws(StoreError) -> NameNumbers {
        NameNumbers(
            application: applicationNames.keys.max() ?? 0, task: tasks.keys.max() ?? 0, setup: setups.keys.max() ?? 0)
    }

    package func applicationRow(_ identifier: String) throws(StoreError) -> Int64? {
        applicationNames.first { $0.value == identifier }?.key
    }

    package func taskRow(_ name: TaskName) throws(StoreError) -> Int64? {
        tasks.first { $0.value == name && isOwn($0.key) }?.key
    }
    package func setupRow(_ setup: RunSetup) throws(StoreError) -> Int64? { setups.first { $0.value == setup }?.key }

    // MARK: Tasks

    package func taskRows(named name: String) throws(StoreError) -> Set<Int64> {
        let rows = rows { $0.identifier == name }
        return rows.isEmpty ? try taskRows(ofApplication: name) : rows
    }

    package func taskRows(ofApplication application: String) throws(StoreError) -> Set<Int64> {
        rows { $0.application == application }
    }

    package func taskRows(containing text: String) throws(StoreError) -> Set<Int64> {
        let text = text.lowercased()
        return rows { $0.identifier.lowercased().contains(text) || $0.application.lowercased().contains(text) }
    }

    private func rows(where isWanted: (TaskName) -> Bool) -> Set<Int64> {
        Set(tasks.filter { isWanted($0.value) }.keys)
    }

    package func identifiers(after identifier: String?, limit: Int) throws(StoreError) -> [String] {
        Array(Set(tasks.values.map(\.identifier)).filter { $0 > identifier ?? "" }.sorted().prefix(limit))
    }

    package func lastRun(of identifier: String) throws(StoreError) -> RunRecord? {
        unfinished.last { $0.identifier == identifier }
    }

    package func hasRuns(ofApplication application: String) throws(StoreError) -> Bool {
        unfinished.contains { $0.application == application }
    }

    package func medianLength(of identifier: String) throws(StoreError) -> TimeSpan? { nil }

    package func fileMarks(task: Int64) throws(StoreError) -> Set<FileMark> { fileMarks[task] ?? [] }

    package func sharedTime(task: Int64) throws(StoreError) -> Timestamp? { sharedTimes[task] }

    package func manifestMarks() throws(StoreError) -> [String: Int64] { [:] }

    package func manifests(before: Int64?, limit: Int) throws(StoreError) -> RowPage<ManifestVersion> {
        RowPage(elements: [], next: nil)
    }

    package func manifest(_ path: String, before moment: Timestamp) throws(StoreError) -> ManifestVersion? { nil }

    /// It has no ended runs to measure.
    package func measuredRuns(
        matching filter: RunFilter, before: Int64?, most: Int
    ) throws(StoreError) -> (runs: [MeasuredRun], next: Int64?) { ([], nil) }

    package func endedRuns(ofTask task: Int64, before place: Int64?, limit: Int) throws(StoreError) -> [MeasuredRun] {
        []
    }

    package func endedRun(at place: Int64) throws(StoreError) -> MeasuredRun? { nil }

    package func runs(at places: some Sequence<Int64>) throws(StoreError) -> RowPage<RunRecord> {
        RowPage(elements: [], next: nil)
    }

    package func place(of run: ULID) throws(StoreError) -> Int64 { .max }

    package func taskName(row: Int64) throws(StoreError) -> TaskName? { tasks[row] }

    /// It has no ended runs to count.
    package func newestRun() throws(StoreError) -> ULID? { nil }

    package func endedRuns(after run: ULID?, upTo newest: ULID, limit: Int) throws(StoreError) -> [EndedRun] { [] }

    package func taskIdentifier(row: Int64) throws(StoreError) -> String? {
        let identifier = name(row).identifier
        return identifier.isEmpty ? nil : identifier
    }

    // MARK: Requests and applications

    package func forEachRequest(_ body: (borrowing TaskRequest) -> Void) throws(StoreError) {
        for request in try requests(application: nil) where isOwn(request.identity) { body(request) }
    }

    package func requests(application: String?) throws(StoreError) -> [TaskRequest] {
        let all =
            running.values.sorted { $0.identity > $1.identity } + waiting.values.sorted { $0.identity < $1.identity }
        return all.filter { application ?? $0.application == $0.application }
    }

    package func waitingRequest(identity: Int64) throws(StoreError) -> TaskRequest? { waiting[identity] }

    package func applications() throws(StoreError) -> [String: ApplicationMemory] {
        Dictionary(
            uniqueKeysWithValues: applicationNames.map { row, name in (name, memories[row] ?? ApplicationMemory()) })
    }

    // MARK: The host and its device

    package func journal(before: Int64?, limit: Int) throws(StoreError) -> RowPage<JournalEntry> {
        page(of: journal, before: before, limit: limit)
    }

    /// Newest first; the places of a list are 1 and so on.
    private func page<Element>(
        of list: [Element], before: Int64?, limit: Int, where isWanted: (Element) -> Bool = { _ in true }
    ) -> RowPage<Element> {
        var elements: [Element] = []
        for place in stride(from: min(before ?? .max, Int64(list.count) + 1) - 1, to: 0, by: -1)
        where isWanted(list[Int(place) - 1]) {
            elements.append(list[Int(place) - 1])
            if elements.count >= limit { return Page(elements: elements, next: place) }
        }
        return Page(elements: elements, next: nil)
    }

    package func terminations(
        application: String?, before: Int64?, limit: Int
    ) throws(StoreError) -> RowPage<Termination> {
        page(of: terminations, before: before, limit: limit) { application ?? $0.application == $0.application }
    }

    package func lastTermination(of application: String) throws(StoreError) -> Termination? {
        terminations.last { $0.application == application }
    }

    package func deviceLog(before: Int64?, limit: Int) throws(StoreError) -> RowPage<DeviceLogEntry> {
        page(of: device, before: before, limit: limit)
    }

    package func pausedWork() throws(StoreError) -> [PausedWork: WorkPause] { paused }
    package func overrides() throws(StoreError) -> [ConditionName: String] { overridden }
}
