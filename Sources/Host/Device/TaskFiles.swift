import Conditions
import Linux
import Record
import Scheduling
import Setting
package import TaskModel

/// The files that tasks wait for. Thread: the loop's.
package final class TaskFiles {
    /// nil: no task waits for any.
    private var conditions: FileConditions?
    private let place: HostPlace
    private let loop: EventLoop
    private let decider: Decider
    private let keeper: RecordKeeper
    private let installed: Installation

    init(
        _ place: HostPlace, _ loop: EventLoop, _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation
    ) {
        self.place = place
        self.loop = loop
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        installed.taskIsNew = { [unowned self] task throws(HostError) in try regard(task) }
    }

    /// Watches the files of the task's present definition, after the scheduler received it.
    private func regard(_ task: TaskIndex) throws(HostError) {
        let one = installed.tasks[task]
        let patterns = one.isRemoved ? [:] : one.definition.patterns
        guard place.schedules, conditions != nil || !patterns.isEmpty else { return }
        let conditions = try watching()
        guard !patterns.isEmpty else { return conditions.set(nil, of: task, at: decider.now.instant) }
        let definition = installed.applications[one.application].definition
        var wish = FileConditions.Wish()
        wish.paths = patterns[.paths]?.map { pattern($0, of: definition) } ?? []
        wish.changed = patterns[.changed]?.map { pattern($0, of: definition) } ?? []
        if !wish.changed.isEmpty, let known = conditions.known(of: task) {
            wish.known = known
        } else if !wish.changed.isEmpty {
            wish.known = try HostError.rethrowing(store: keeper.reader.fileMarks(task: one.row))
        }
        conditions.set(wish, of: task, at: decider.now.instant)
    }

    private func watching() throws(HostError) -> FileConditions {
        if let conditions { return conditions }
        let conditions: FileConditions
        do throws(SystemError) {
            conditions = try FileConditions { [unowned self] task, name, isMet in
                decider.setMet(isMet, name, of: task)
            }
        } catch {
            throw .system(error)
        }
        try loop.add(conditions)
        self.conditions = conditions
        return conditions
    }

    /// A file system was mounted or unmounted.
    package func mountsChanged(at now: Instant) { conditions?.mountsChanged(at: now) }

    // MARK: Runs

    /// The files of a task as a run of it begins; nil: it waits for no change.
    func marks(of task: TaskIndex) -> Set<FileMark>? { conditions?.marks(of: task) }

    /// A run has succeeded: only what changes after it began counts from now on.
    func remember(_ marks: Set<FileMark>, of task: TaskIndex) {
        conditions?.setKnown(marks, of: task)
        keeper.write(.filesSeen(task: installed.tasks[task].row, marks))
    }

    // MARK: Patterns

    /// The target of a manifest's pattern: links are followed under the same rules as for grants, and never those that an
    /// application may have placed.
    private func pattern(_ text: String, of definition: ApplicationDefinition) -> FilePattern {
        let own = place.state.existingFolders(of: definition.identifier)
        let variables = [("$MANIFEST", definition.manifestFolder), ("$STATE", own[0]), ("$CACHE", own[1])]
        let whole = GrantResolver.normalized(GrantVariables.expand(text, variables))
        let grants = (definition.permissions.read + definition.permissions.write)
            .map { GrantResolver.normalized(GrantVariables.expand($0, variables)) }
        var real = whole
        let isOwn = own.contains { GrantResolver.lies(whole, in: $0) }
        if !isOwn, let grant = grants.first(where: { GrantResolver.lies(whole, in: $0) }) {
            let resolver = GrantResolver(foreign: Set(installed.writable.paths))
            let places = resolver.places(write: [], read: [grant]) { _, _ in }
            if let place = places.read.first { real = place + whole.dropFirst(grant.count) }
        }
        let end = real.utf8.lastIndex(of: UInt8(ascii: "/")) ?? real.startIndex
        return FilePattern(
            folder: GrantResolver.normalized(String(real[..<end])), name: String(real[end...].dropFirst()), text: text)
    }

    /// Adds the observed state of a task's files to the reports on its request.
    package func explain(_ reports: inout [GateReport], of task: TaskIndex) {
        guard let conditions else { return }
        for place in reports.indices {
            guard let condition = Condition.of(reports[place].gate), !condition.isOfMachine,
                let words = conditions.words(condition.name, of: task)
            else { continue }
            reports[place].found = words
        }
    }
}
