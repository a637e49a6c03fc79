import Engine
import Linux
import Setting
package import TaskModel
import Workers

/// Faults that the user lets happen to tasks, on a host that allows it: each to the run in progress, or once to the next one.
/// Thread: the loop's.
package final class Faults {
    /// The host was started with `--faults`.
    package let isAllowed: Bool
    /// Those that wait for a run, by its identifier.
    private var armed: [String: SimulatedFault] = [:]
    /// Runs that have started and are warned a moment later, when their handlers have set what is called then.
    private var begun: [(run: RunHandle, due: Instant)] = []
    private let decider: Decider
    private let installed: Installation
    private let runs: RunTable

    /// Faults that wait at once.
    package static let most = Limit.faults.most
    /// From a run's start to its warning.
    private static let moment = TimeSpan.seconds(1)

    init(isAllowed: Bool, _ decider: Decider, _ installed: Installation, _ runs: RunTable) {
        self.isAllowed = isAllowed
        self.decider = decider
        self.installed = installed
        self.runs = runs
    }

    /// Whether any waits.
    var isArmed: Bool { !armed.isEmpty }

    /// The next run of that identifier will have it, instead of one that waits already.
    ///
    /// - Returns: false: too many wait.
    package func arm(_ fault: SimulatedFault, for identifier: String, of task: TaskIndex) -> Bool {
        guard armed.count < Self.most || armed[identifier] != nil else { return false }
        armed[identifier] = fault
        // The next run gets a process of its own time.
        if fault.isOfLaunch { decider.hear(.renewed(application: installed.tasks[task].application)) }
        return true
    }

    /// Takes the fault that a new process has from its launch on, for the runs that wait for it.
    func takeForLaunch(of worker: WorkerHandle) -> SimulatedFault? {
        guard isArmed else { return nil }
        for run in decider.runs(of: worker) {
            guard let fault = fault(of: run), fault.isOfLaunch else { continue }
            take(of: run)
            if fault == .slowLaunch { runs.diagnose(Self.sentence(of: fault), run) }
            return fault
        }
        return nil
    }

    /// A run that waits for the process has a fault that it needs from its launch on.
    func hasForLaunch(of worker: WorkerHandle) -> Bool {
        isArmed && decider.runs(of: worker).contains { fault(of: $0)?.isOfLaunch == true }
    }

    /// A signal is for its process, which has to be known before its handler is called.
    func awaitsProcess(_ run: RunHandle) -> Bool {
        guard isArmed, let fault = fault(of: run) else { return false }
        return fault == .crash || fault == .kill
    }

    /// The run has started, in a process that is known.
    ///
    /// - Returns: its process has a signal that ends it.
    func strike(_ run: RunHandle, in record: WorkerRecord) -> Bool {
        guard isArmed, record.pid != nil, let fault = fault(of: run), !fault.isOfLaunch else { return false }
        guard fault != .memoryPressure else {
            begun.append((run, decider.now.instant + Self.moment))
            return false
        }
        take(of: run)
        return strike(fault, run, in: record)
    }

    /// When a run is warned that began with a fault.
    var nextDeadline: Instant { begun.first?.due ?? .distantFuture }

    /// Warns the runs whose moment has come. The fault of one that has ended before waits for the next.
    func advance() {
        while let (run, due) = begun.first, due <= decider.now.instant {
            begun.removeFirst()
            guard decider.run(run)?.isActive == true, fault(of: run) == .memoryPressure else { continue }
            take(of: run)
            warn(run)
        }
    }

    /// Lets a fault happen to a run in progress.
    ///
    /// - Returns: its process has a signal that ends it.
    @discardableResult
    package func strike(_ fault: SimulatedFault, _ run: RunHandle, in record: WorkerRecord) -> Bool {
        let signal: Signal
        switch fault {
        case .crash: signal = .SIGSEGV
        case .kill: signal = .SIGKILL
        case .memoryPressure:
            warn(run)
            return false
        case .slowLaunch, .diskFull: preconditionFailure("a process has these from its launch on")
        }
        guard send(signal, to: record) else { return false }
        runs.diagnose(Self.sentence(of: fault), run)
        return true
    }

    private func warn(_ run: RunHandle) {
        runs.diagnose(Self.sentence(of: .memoryPressure), run)
        decider.hear(.expired(run, .memoryPressure))
    }

    private func fault(of run: RunHandle) -> SimulatedFault? {
        runs.identifier(of: run).flatMap { armed[$0] }
    }

    private func take(of run: RunHandle) {
        if let identifier = runs.identifier(of: run) { armed[identifier] = nil }
    }

    /// - Returns: it was sent.
    private func send(_ signal: Signal, to record: WorkerRecord) -> Bool {
        // The pidfd refers to that process even if the number is reused; the check shows that it is the worker.
        guard let pid = record.pid, let process = try? ProcessHandle(opening: pid),
            record.group.processes().contains(pid)
        else { return false }
        return (try? process.signal(signal)) != nil
    }

    /// For the run's record: what happened was wanted.
    static func sentence(of fault: SimulatedFault) -> String {
        switch fault {
        case .crash: "taskhost simulate crash: its process got SIGSEGV"
        case .kill: "taskhost simulate kill: its process got SIGKILL"
        case .slowLaunch: "taskhost simulate slow-launch: its process waited before it loaded the code"
        case .diskFull: "taskhost simulate disk-full: in its process nothing can be created, and no file can grow"
        case .memoryPressure: "taskhost simulate memory-pressure: it was warned as when memory is short"
        }
    }
}
