import Engine
import Setting
import TaskModel

/// Which confined programs run so that what confinement refuses them is told: the first run of an application, or since a change of its
/// manifest, and each after one that failed. It costs the process that tells, and twice the time of each call that opens a file.
final class Explanations {
    /// The tellers need so much memory themselves, which counts as the run's.
    static let leastMemory = ByteCount.mebibytes(64)

    /// Applications whose last run needs no explanation.
    private var clear: Set<ApplicationIndex> = []

    /// The next run of the application is to be explained.
    func isDue(_ application: ApplicationIndex, _ installed: InstalledApplication) -> Bool {
        let definition = installed.definition
        return definition.confinement == .full && definition.runsPrograms && definition.isolation == .run
            && installed.library == nil && !clear.contains(application)
            && definition.tasks.allSatisfy { $0.budget.memory >= Self.leastMemory }
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
