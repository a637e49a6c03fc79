/// Numbers for names, by which runs and requests refer to them. The host makes them: a number is never a store's answer, so that
/// a turn need not wait for one. New ones are writes of the turn.
///
/// One host writes a record, so the highest numbers at its start suffice. The rest is a cache. Thread: the owner's.
package struct RecordNames: Sendable {
    /// The highest ones that were given.
    private var highest: NameNumbers
    private var applications: [String: Int64] = [:]
    private var tasks: [TaskName: Int64] = [:]
    private var setups: [RunSetup: Int64] = [:]
    /// New names that no turn has taken yet, in the order of their numbers.
    private var new: [RecordWrite] = []

    /// Names beyond this many are read again when they are asked for.
    package static let mostKept = 4096

    package init(from reader: any RecordReader) throws(StoreError) { highest = try reader.highestNames() }

    /// The number of an application. Call it when a manifest is loaded.
    package mutating func application(
        _ identifier: String, in reader: any RecordReader
    ) throws(StoreError) -> Int64 {
        if let known = applications[identifier] { return known }
        if let known = try reader.applicationRow(identifier) { return known }
        highest.application += 1
        applications[identifier] = highest.application
        new.append(.applicationNamed(highest.application, identifier))
        return highest.application
    }

    /// The number of a task, for `RunStart` and `TaskRequest`. Call it when a manifest is loaded.
    package mutating func task(_ name: TaskName, in reader: any RecordReader) throws(StoreError) -> Int64 {
        if let known = try knownTask(name, in: reader) { return known }
        highest.task += 1
        tasks[name] = highest.task
        new.append(.taskNamed(highest.task, name))
        return highest.task
    }

    /// The same if the task has one.
    package mutating func knownTask(_ name: TaskName, in reader: any RecordReader) throws(StoreError) -> Int64? {
        if let known = tasks[name] { return known }
        let known = try reader.taskRow(name)
        tasks[name] = known
        return known
    }

    /// The number of a setup of runs. Call it when a worker is ready, not for each run.
    package mutating func setup(_ setup: RunSetup, in reader: any RecordReader) throws(StoreError) -> Int64 {
        if let known = setups[setup] { return known }
        if let known = try reader.setupRow(setup) {
            setups[setup] = known
            return known
        }
        highest.setup += 1
        setups[setup] = highest.setup
        new.append(.setupNamed(highest.setup, setup))
        return highest.setup
    }

    /// Names that the turn has to write, before what refers to them.
    package mutating func takeNew() -> [RecordWrite] {
        defer { new.removeAll(keepingCapacity: true) }
        return new
    }

    /// Bounds the cache. Call it when every turn is durable: what is dropped can be read.
    package mutating func trim() {
        if applications.count > Self.mostKept { applications.removeAll() }
        if tasks.count > Self.mostKept { tasks.removeAll() }
        if setups.count > Self.mostKept { setups.removeAll() }
    }

    /// Tasks may be deleted from the record (`RecordWrite.identifiersPruned`), but for these. Call it when every earlier turn is
    /// durable.
    package mutating func forgetTasks(except held: Set<Int64>) { tasks = tasks.filter { held.contains($0.value) } }
}
