import Engine
import Setting
import TaskModel

/// Which confined processes have one beside them that tells what confinement refuses them. It costs that process, and twice the time of
/// each call that opens a file.
///
/// Of programs it is the first run of an application, or since a change of its manifest, and each after one that ended badly: each has a
/// process of its own anyway. A library's worker goes on for many runs. One in which a run ended badly gives way to one that is told of,
/// which leaves with its runs. A handler may fail often for reasons of its own, so that this happens every ten seconds at most.
final class Explanations {
    /// The host adds up what each process of a tree has; else a control group knows what several share.
    var isMetered = false
    /// What a library leaves in its process from run to run is counted: no other takes its place.
    var keepsLibraries = false

    /// Applications of programs whose last run needs no explanation.
    private var clear: Set<ApplicationIndex> = []
    /// Applications of libraries whose next worker is explained.
    private var due: Set<ApplicationIndex> = []
    /// Applications of libraries whose last run of an earlier host has been looked at.
    private var known: Set<ApplicationIndex> = []
    /// Since when the newest explained worker of a library has been there.
    private var since: [ApplicationIndex: Instant] = [:]
    /// A program was launched confined: the ends of runs matter. Most hosts of libraries have none.
    private var areAsked = false

    private static let pause = TimeSpan.seconds(10)

    /// The next process of the application is to be explained.
    ///
    /// - Parameter endedBadly: whether its last run before this host's did; called once for each application of a library.
    func isDue(
        _ application: ApplicationIndex, _ installed: InstalledApplication, at now: Instant, endedBadly: () -> Bool
    ) -> Bool {
        let definition = installed.definition
        if definition.runsPrograms { areAsked = true }
        guard canBe(definition) else { return false }
        if definition.runsPrograms {
            return definition.isolation == .run && installed.library == nil && !clear.contains(application)
        }
        guard !keepsLibraries else { return false }
        if known.insert(application).inserted, endedBadly() { due.insert(application) }
        return due.contains(application) && !hasJustBeen(application, at: now)
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
    /// - Returns: its worker is to give way to one that is told of.
    func ended(
        _ application: ApplicationIndex, _ installed: InstalledApplication, _ outcome: Outcome, because reason: Reason?,
        isExplained: Bool, at now: Instant
    ) -> Bool {
        guard Self.isBad(outcome, because: reason) else {
            if isExplained { due.remove(application) }
            return false
        }
        known.insert(application)
        due.insert(application)
        // An application of iOS keeps what it has in memory.
        return !isExplained && !keepsLibraries && installed.library?.isApplication != true
            && canBe(installed.definition) && !hasJustBeen(application, at: now)
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
    func changed(_ application: ApplicationIndex, runsPrograms: Bool) {
        clear.remove(application)
        since[application] = nil
        if !runsPrograms { due.insert(application) }
    }
}
