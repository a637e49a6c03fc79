import Engine
import Setting
import TaskModel

/// Which confined processes have one beside them that tells what confinement refuses them. It costs that process, and twice the time of
/// each call that opens a file.
///
/// Of programs it is the first run of an application, or since a change of its manifest, and each after one that ended badly: each has a
/// process of its own anyway. A library's worker goes on for many runs. One in which a run ended badly gives way to one that is told of,
/// which leaves after a run of the same task. A handler may fail often for reasons of its own, so that this happens every ten seconds at
/// most.
final class Explanations {
    /// The host adds up what each process of a tree has; else a control group knows what several share.
    var isMetered = false
    /// No library's process is told of: what it leaves from run to run is counted, and no other takes its place, or the kernel tells
    /// nobody.
    var passesOverLibraries = false

    /// Applications of programs whose last run needs no explanation.
    private var clear: Set<ApplicationIndex> = []
    /// Why the next worker of an application of libraries is explained.
    private enum Cause: Equatable {
        /// Its manifest has come or changed, or the last run of an earlier host ended badly.
        case news
        /// The task's last run ended badly.
        case run(TaskIndex)
    }
    private var due: [ApplicationIndex: Cause] = [:]
    /// Applications of libraries of which it is known how the last run ended.
    private var known: Set<ApplicationIndex> = []
    /// Since when the newest explained worker of a library has been there; nil: its manifest has changed since.
    private var since: [ApplicationIndex: Instant] = [:]
    /// A program was launched: the ends of runs matter. Most hosts of libraries have none.
    private var areAsked = false

    private static let pause = TimeSpan.seconds(10)

    /// The next process of the application is to be explained.
    ///
    /// - Parameter endedBadly: whether its last run before this host's did; called once for an application of a library, if at all.
    func isDue(
        _ application: ApplicationIndex, _ installed: InstalledApplication, at now: Instant, endedBadly: () -> Bool
    ) -> Bool {
        let definition = installed.definition
        if definition.runsPrograms { areAsked = true }
        guard canBe(definition) else { return false }
        if definition.runsPrograms {
            return definition.isolation == .run && installed.library == nil && !clear.contains(application)
        }
        guard !passesOverLibraries else { return false }
        if known.insert(application).inserted, endedBadly() { due[application] = .news }
        return due[application] != nil && !hasJustBeen(application, at: now)
    }

    /// The tellers need some 13 MiB themselves, which count as the run's: of a smaller budget that is too much.
    private func canBe(_ definition: ApplicationDefinition) -> Bool {
        let least = ByteCount.mebibytes(isMetered ? 256 : 64)
        return definition.confinement == .full && definition.tasks.allSatisfy { $0.budget.memory >= least }
    }

    private func hasJustBeen(_ application: ApplicationIndex, at now: Instant) -> Bool {
        since[application].map { now - $0 < Self.pause } ?? false
    }

    /// An explained worker of a library is launched.
    func begin(of application: ApplicationIndex, at now: Instant) { since[application] = now }

    /// Whether the end of a run changes anything.
    func matters(_ outcome: Outcome, because reason: Reason?) -> Bool {
        areAsked || !due.isEmpty || Self.isBad(outcome, because: reason)
    }

    /// A run of a program has ended.
    func ended(_ application: ApplicationIndex, _ outcome: Outcome, because reason: Reason?) {
        if Self.isBad(outcome, because: reason) { clear.remove(application) } else { clear.insert(application) }
    }

    /// A run of a library has ended.
    ///
    /// - Parameter isExplained: a process was told of its calls.
    /// - Returns: its worker is to leave: it was told of for this run, or gives way to one that is.
    func ended(
        _ task: TaskIndex, of application: ApplicationIndex, _ installed: InstalledApplication, _ outcome: Outcome,
        because reason: Reason?, isExplained: Bool, at now: Instant
    ) -> Bool {
        // An application of iOS keeps what it has in memory.
        let mayLeave = installed.library?.isApplication != true
        if Self.isBad(outcome, because: reason) {
            known.insert(application)
            due[application] = .run(task)
            let givesWay = !passesOverLibraries && canBe(installed.definition) && !hasJustBeen(application, at: now)
            return mayLeave && (isExplained || givesWay)
        }
        // One that is explained may need too much memory, or be refused for what only it does.
        if outcome == .exceededMemory || outcome == .refused { due[application] = nil }
        guard isExplained else { return false }
        let isMeant = due[application].map { $0 == .news || $0 == .run(task) } ?? true
        if isMeant, Self.isGood(outcome), since[application] != nil { due[application] = nil }
        return mayLeave && isMeant
    }

    /// Nothing that was refused mattered. Else somebody or the machine ended it before that showed.
    private static func isGood(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .succeeded, .deferred, .exceededCPU, .exceededMemory, .exceededDisk: true
        case .failed, .expired, .overran, .crashed, .exited, .unreported, .interrupted, .cancelled, .refused: false
        }
    }

    /// Else nothing was refused, or nothing that an explanation would name.
    static func isBad(_ outcome: Outcome, because reason: Reason?) -> Bool {
        switch outcome {
        case .failed, .overran, .crashed, .exited, .unreported: true
        // Not for what the machine or its user did.
        case .expired: reason == .budget || reason == .noProgress
        case .succeeded, .deferred, .exceededCPU, .exceededMemory, .exceededDisk, .cancelled, .interrupted, .refused:
            false
        }
    }

    /// The application is new to a running host, or its manifest has changed.
    func changed(_ application: ApplicationIndex) {
        clear.remove(application)
        since[application] = nil
        due[application] = .news
    }
}
