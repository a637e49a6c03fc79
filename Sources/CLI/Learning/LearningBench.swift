import Control
import JSON
import Learning
import Linux
import Setting
import TaskModel

/// Runs a task in this process, with what a proposal grants or watched and with all rights of its user. Its records are in a folder
/// beside the state folder.
final class LearningBench {
    /// What came of one run.
    struct Trial {
        var record: RunRecord
        var output: [UInt8]
        var effects: Effects
        /// From then on the run changed files, by their times: what was there before has an earlier one.
        var begin: Timestamp
    }

    let subject: LearningSubject
    private let payload: [UInt8]
    private let configuration: HostConfiguration
    private let terminal: Terminal
    private let state: String
    private let folder: PassingFolder
    private let budget: Budget
    /// Puts back what the task changes; nil: nothing does.
    private let before: String?
    /// A budget that has none ends then.
    private static let longest = TimeSpan.minutes(10)
    /// Bytes of a report at most.
    private static let reportBytes = 16 << 20

    init(
        _ subject: LearningSubject, _ arguments: Arguments, payload: [UInt8], _ configuration: HostConfiguration,
        _ terminal: Terminal
    ) throws(Failure) {
        self.subject = subject
        self.payload = payload
        before = arguments.value("--before")
        self.configuration = configuration
        self.terminal = terminal
        state = PrivateState.folder(ofLearningBeside: try Places.state(arguments))
        folder = try PassingFolder("/tmp/taskhost-learn-", terminal)
        var budget = subject.task.budget
        if let text = arguments.value("--wall") {
            guard let span = TimeSpan(parsing: text), span > .zero else {
                throw .usage("--wall does not take this; \(text); give a time such as 90s, 10m or 2h")
            }
            budget.wallClock = span
        } else if budget.wallClock == .unlimited {
            budget.wallClock = Self.longest
        }
        budget.grace = Budget.defaultGrace(for: budget.wallClock)
        self.budget = budget
    }

    var putsBack: Bool { before != nil }

    // MARK: The task's own places

    private var applicationFolder: String {
        "\(state)/\(StateFolder.applicationsName)/\(subject.applicationIdentifier)"
    }

    /// What it may do anyway.
    var granted: [String] {
        let program = GrantVariables.expand(subject.command.words[0], variables)
        let runtime = (try? WorkerExecutable.path()).flatMap { SwiftRuntime.folder(beside: $0) }
        return [applicationFolder, folder.path, program, FileSystem.realPath(program) ?? program]
            + (runtime.map { [$0] } ?? [])
            + subject.command.environmentFiles.map {
                GrantVariables.expand(ProgramCommand.place(of: $0).path, variables)
            }
    }

    var variables: [(String, String)] {
        [
            ("$MANIFEST", subject.application.definition.manifestFolder), ("$STATE", applicationFolder + "/state"),
            ("$CACHE", applicationFolder + "/cache"),
        ]
    }

    // MARK: Running

    /// One run with all rights of its user, watched.
    ///
    /// - Returns: what it was seen to do, and what came of it.
    func watch(_ number: Int) throws(Failure) -> ([Observation], Trial) {
        let report = "\(folder.path)/\(number)"
        let file = try makeReport(report)
        var command = subject.command
        let worker = try Opening.asFailure { () throws(HostError) in try WorkerExecutable.path() }
        command.words = [worker, "watch", report] + command.words
        // Where a confined run has it.
        if !command.environment.contains(where: { $0.hasPrefix("TMPDIR=") }) {
            command.environment.append("TMPDIR=\(applicationFolder)/cache")
        }
        let application = try subject.application(
            running: command, .unconfined, Permissions(), budget: budget, configuration)
        let trial = try run(application, writable: [])
        // It ended because somebody wanted it to.
        guard trial.record.outcome != .cancelled else {
            throw Failure(
                Outcome.cancelled.exitStatus,
                "nothing is learned from a run that was cancelled; \(subject.task.identifier); start it again")
        }
        var seen = try read(file, naming: report)
        // It ended because it was told to.
        if trial.record.expiredAt != nil { seen.removeAll { $0.kind == .ended } }
        return (seen, trial)
    }

    /// One run with what the proposal grants.
    ///
    /// - Parameter places: where its effects are looked for.
    func confine(_ proposal: Proposal, places: [String]) throws(Failure) -> Trial {
        let permissions = LearnedManifest.permissions(proposal)
        let application = try subject.application(
            running: LearnedManifest.command(subject), .full, permissions, budget: budget, configuration)
        return try run(application, writable: places)
    }

    private func run(_ application: InstalledApplication, writable places: [String]) throws(Failure) -> Trial {
        try putBack()
        let begin = before == nil ? Clock.fileTime() : Self.nextFileTime()
        let client = try LocalClient([application], writable: places, state: state, configuration, terminal)
        let earlier = EffectsSnapshot(of: places)
        let id = try client.run(toItsEnd: subject.task.identifier, payload: payload, terminal)
        let (record, _) = try client.run(id.description)
        let output = try client.bytes(.readLog, id.description)
        let effects = EffectsSnapshot(of: places).effects(since: earlier, begin: begin)
        return Trial(record: record, output: output, effects: effects, begin: begin)
    }

    /// Waits until files are stamped with a later time than any that was changed up to now. The kernel stamps them by a clock that goes in
    /// steps, behind the other, or from Linux 6.13 on with the other's time, where somebody has looked at the file meanwhile.
    private static func nextFileTime() -> Timestamp {
        let last = Clock.moment().time
        while Clock.fileTime() <= last { Clock.pause(.milliseconds(1)) }
        return Timestamp(nanoseconds: last.nanoseconds + 1)
    }

    private func putBack() throws(Failure) {
        guard let before else { return }
        let end: ProcessEnd?
        do throws(SystemError) {
            end = try ChildProcess(
                "/bin/sh", ["sh", "-c", before], environment: ThisProcess.environment, descriptors: []
            ).wait()
        } catch {
            throw .usage("the command of --before cannot be started; \(error); try again")
        }
        guard let end, end.signal == nil, end.status == 0 else {
            throw .usage("the command of --before failed; \(before); correct it: it has to succeed before each run")
        }
    }

    // MARK: Reports

    /// An empty file that the task's user may write.
    private func makeReport(_ path: String) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let file = try Descriptor.open(path, [.O_RDWR, .O_CREAT, .O_EXCL], mode: 0o600)
            guard let account = subject.application.account, account.user != ThisProcess.user else { return file }
            try FileSystem.changeOwner(path, user: account.user, group: account.group)
            try FileSystem.changeMode(folder.path, 0o711)
            return file
        } catch {
            throw .cannotCreate("the watcher's report cannot be made; \(error); free space in /tmp")
        }
    }

    /// What the watcher wrote, from the file that was made, whatever is in its place by now. It is the run's: what cannot be, and
    /// paths that are none on this machine, are left out.
    private func read(_ file: borrowing Descriptor, naming path: String) throws(Failure) -> [Observation] {
        do throws(SystemError) {
            return Observation.read(try FileSystem.read(file, limit: Self.reportBytes, naming: path)).filter(
                Self.isReal)
        } catch {
            throw .cannotCreate("what the watcher saw cannot be read; \(error); learn it again")
        }
    }

    /// Whether a path has no links, as the watcher resolved it; one that is gone counts by its folder.
    private static func isReal(_ observation: Observation) -> Bool {
        guard [.read, .list, .write, .create, .remove, .execute, .started].contains(observation.kind) else {
            return true
        }
        var path = observation.place
        while true {
            if let real = FileSystem.realPath(path) { return real == path }
            guard path != "/" else { return false }
            path = FilePlace(path).folder
        }
    }
}
