import Record
import Scheduling
import Setting
package import TaskModel

/// Work that the user holds back, by name: pauses outlive restarts, and manifests that go and come again. Thread: the loop's.
package final class Pauses {
    /// Those in force; of work that no manifest has, too.
    package private(set) var present: [PausedWork: WorkPause] = [:]
    private let decider: Decider
    private let keeper: RecordKeeper
    private let installed: Installation
    private let announcer: Announcer

    init(_ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ announcer: Announcer) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
    }

    /// Holds the work back from now on, or gives its pause another end.
    ///
    /// - Parameter until: nil: until it is resumed.
    package func pause(_ work: PausedWork, until: Timestamp?) {
        let since = present[work]?.since ?? decider.now.time
        let pause = WorkPause(since: since, until: until)
        present[work] = pause
        keeper.write(.workPaused(work, pause))
        announcer.note(.workPaused, work.name, until.map { "paused until \($0.iso8601)" } ?? "paused")
        apply(pause, to: work)
    }

    /// Ends the pause.
    /// - Returns: whether there was one.
    package func resume(_ work: PausedWork) -> Bool {
        guard present[work] != nil else { return false }
        forget(work, "resumed by the user")
        if let part = part(work) { decider.resume(part) }
        return true
    }

    /// The scheduler has reached its end.
    func ended(_ part: PausedPart) {
        let work: PausedWork =
            switch part {
            case .host: .host
            case .application(let index): .application(installed.name(of: index))
            case .task(let index): .task(installed.tasks[index].definition.identifier)
            }
        if present[work] != nil { forget(work, "the end of its pause has come") }
    }

    private func forget(_ work: PausedWork, _ text: String) {
        present[work] = nil
        keeper.write(.workResumed(work))
        announcer.note(.workResumed, work.name, text)
    }

    /// The pauses that were in force when the last host ended.
    func restore() throws(StoreError) {
        present = try keeper.reader.pausedWork()
        for (work, pause) in present { apply(pause, to: work) }
    }

    /// New tasks, and maybe their application, are there.
    func arrived(_ application: ApplicationIndex, _ tasks: [TaskIndex]) {
        guard !present.isEmpty else { return }
        let names = tasks.map { PausedWork.task(installed.tasks[$0].definition.identifier) }
        for work in names + [.application(installed.name(of: application))] {
            if let pause = present[work] { apply(pause, to: work) }
        }
    }

    private func apply(_ pause: WorkPause, to work: PausedWork) {
        guard let part = part(work) else { return }
        decider.pause(part, pause)
    }

    /// Whether a manifest has it now.
    package func isInstalled(_ work: PausedWork) -> Bool { part(work) != nil }

    /// nil: no manifest has it now.
    private func part(_ work: PausedWork) -> PausedPart? {
        switch work {
        case .host: .host
        case .application(let name): installed.application(named: name).map { .application($0) }
        case .task(let name): installed.task(named: name).map { .task($0) }
        }
    }
}
