/// Numbers for names, by which runs and requests refer to them. The host makes them: a number is never a store's answer, so that
/// a turn need not wait for one. New ones are writes of the turn.
///
/// One host writes a record, so the highest numbers at its start suffice. The rest is a cache. Thread: the owner's.
package struct RecordNames: Sendable {
    private var applications: NumberedNames<String>
    private var tasks: NumberedNames<TaskName>
    private var setups: NumberedNames<RunSetup>
    /// New names that no turn has taken yet, in the order of their numbers.
    private var new: [RecordWrite] = []

    /// Names beyond this many are read again when they are asked for.
    package static let mostKept = 4096

    package init(from reader: any RecordReader) throws(StoreError) {
        let highest = try reader.highestNames()
        applications = NumberedNames(highest: highest.application)
        tasks = NumberedNames(highest: highest.task)
        setups = NumberedNames(highest: highest.setup)
    }

    /// The number of an application. Call it when a manifest is loaded.
    package mutating func application(
        _ identifier: String, in reader: any RecordReader
    ) throws(StoreError) -> Int64 {
        if let known = try applications.known(identifier, orRead: reader.applicationRow) { return known }
        let row = applications.add(identifier)
        new.append(.applicationNamed(row, identifier))
        return row
    }

    /// The number of a task, for `RunStart` and `TaskRequest`. Call it when a manifest is loaded.
    package mutating func task(_ name: TaskName, in reader: any RecordReader) throws(StoreError) -> Int64 {
        if let known = try knownTask(name, in: reader) { return known }
        let row = tasks.add(name)
        new.append(.taskNamed(row, name))
        return row
    }

    /// The same if the task has one.
    package mutating func knownTask(_ name: TaskName, in reader: any RecordReader) throws(StoreError) -> Int64? {
        try tasks.known(name, orRead: reader.taskRow)
    }

    /// The number of a setup of runs. Call it when a worker is ready, not for each run.
    package mutating func setup(_ setup: RunSetup, in reader: any RecordReader) throws(StoreError) -> Int64 {
        if let known = try setups.known(setup, orRead: reader.setupRow) { return known }
        let row = setups.add(setup)
        new.append(.setupNamed(row, setup))
        return row
    }

    /// Names that the turn has to write, before what refers to them.
    package mutating func takeNew() -> [RecordWrite] {
        defer { new.removeAll(keepingCapacity: true) }
        return new
    }

    /// Bounds the cache. Call it when every turn is durable: what is dropped can be read.
    package mutating func trim() {
        applications.trim(to: Self.mostKept)
        tasks.trim(to: Self.mostKept)
        setups.trim(to: Self.mostKept)
    }

    /// Tasks may be deleted from the record (`RecordWrite.identifiersPruned`), but for these. Call it when every earlier turn is
    /// durable.
    package mutating func forgetTasks(except held: Set<Int64>) { tasks.forget(except: held) }
}
