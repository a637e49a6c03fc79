import Engine
import Setting
import TaskModel

/// Which confined programs run so that what confinement refuses them is told: the first run of an application, or since a change of its
/// manifest, and each after one that failed. It costs the process that tells, and twice the time of each call that opens a file.
final class Explanations {
    /// The tellers need some 13 MiB themselves, which count as the run's: of a smaller budget that is too much. Where the host adds up what
    /// each process of the tree has, all of it counts; a control group shares what several have.
    private static func leastMemory(isMetered: Bool) -> ByteCount { .mebibytes(isMetered ? 256 : 64) }

    /// Applications whose last run needs no explanation.
    private var clear: Set<ApplicationIndex> = []

    /// A program was launched confined: the ends of runs matter. Most hosts of libraries have none.
    private(set) var areAsked = false

    /// The next run of the application is to be explained.
    func isDue(_ application: ApplicationIndex, _ installed: InstalledApplication, isMetered: Bool) -> Bool {
        let least = Self.leastMemory(isMetered: isMetered)
        let definition = installed.definition
        if definition.runsPrograms { areAsked = true }
        return definition.confinement == .full && definition.runsPrograms && definition.isolation == .run
            && installed.library == nil && !clear.contains(application)
            && definition.tasks.allSatisfy { $0.budget.memory >= least }
    }

    /// A run of a program has ended.
    func ended(_ application: ApplicationIndex, _ outcome: Outcome) {
        switch outcome {
        case .failed, .expired, .overran, .crashed, .exited, .unreported: clear.remove(application)
        // Nothing was refused, or nothing that an explanation would name.
        case .succeeded, .deferred, .exceededCPU, .exceededMemory, .exceededDisk, .cancelled, .interrupted, .refused:
            clear.insert(application)
        }
    }

    /// Its manifest has changed.
    func forget(_ application: ApplicationIndex) { clear.remove(application) }
}
