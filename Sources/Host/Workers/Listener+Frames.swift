import Engine
import Linux
import Manifests
import Record
import Setting
import TaskModel
import Wire
import Workers

// A worker's frames about its runs.
extension Listener {
    /// One frame of a worker. Throws for what no honest worker sends.
    func take(
        _ header: FrameHeader, _ reader: inout FrameReader, from record: WorkerRecord
    ) throws(WireError) {
        guard let kind = FrameKind(rawValue: header.kind) else { throw .unknownKind(header.kind) }
        try advance(record, by: kind)
        charge(record, kind, header.run, bytes: reader.length)
        defer { if !kind.endsRun { mayHavePrinted = true } }
        switch kind {
        case .completed:
            let completion = try Completion(from: reader)
            readBeforeEnd(record)
            if isToBeTold(completion, header.run, record) {
                noteDenials(header.run, of: record)
                if let program = completion.program { noteGuesses(program, header.run, of: record) }
            } else if completion.program == nil {
                if record.explainer == nil { record.output.forgetDenials() }
                if let process = record.pid { launcher.recorded?.late.forget(process) }
            }
            willComplete(header.run, of: record)
            if let deferral = completion.deferral ?? deferral(of: header.run, asked: completion) {
                decider.hear(.deferred(record.handle, header.run, deferral))
            } else {
                record.output.hasSucceeded = completion.success && completion.program != nil
                decider.hear(
                    .completed(
                        record.handle, header.run, success: completion.success, result: completion.result,
                        automatic: completion.automatic, program: completion.program))
            }
            runEnded(of: record)
        case .unreported:
            readBeforeEnd(record)
            noteDenials(header.run, of: record)
            decider.hear(.unreported(record.handle, header.run))
            runEnded(of: record)
        case .declined:
            note(try reader.text(), for: header.run, of: record)
            // Only the run of a program has it.
            let isMissing = (try? reader.integer(UInt8.self)) == 1
            meterOnce(record)
            decider.hear(.declined(record.handle, header.run, program: isMissing ? .missing : nil))
            runEnded(of: record)
        case .confined:
            let report = try ConfinementReport(from: &reader)
            record.degraded += report.degraded
            settle(record, report)
            takeExplainer(report.explainer, of: record)
        case .ready:
            try reader.end()
            // Its output so far belongs to its launch, and may still be in the pipe.
            drainLog(of: record)
            if !record.output.early.isEmpty { giveEarlyOutput(of: record, to: decider.runs(of: record.handle)) }
            launcher.isReady(record.handle)
            decider.hear(.ready(record.handle))
        case .refused:
            let refusal = try LaunchRefusal(from: &reader)
            // Of one that was not made ahead: its tasks came so late that it had begun to wait for them.
            let fault =
                refusal == .stale
                ? LaunchFault(.host, refusal.sentence) : LaunchFault(code: refusal.code, refusal.sentence)
            drainLog(of: record)
            failLaunch(of: record) { launcher.tell(fault, of: record.handle) }
        case .progress:
            let report = try ProgressReport(from: &reader)
            guard table.owns(header.run, record) else { return }
            runs.progressed(header.run, of: record.handle, report)
        case .log:
            let level = try reader.integer(UInt8.self)
            let line = try reader.blob()
            if table.owns(header.run, record) { runs.keepLogLine(level, line, for: header.run) }
        case .diagnostic:
            guard let code = DiagnosticCode(rawValue: try reader.integer()) else { throw .badValue }
            note(code.sentence(because: decider.run(header.run)?.reason), for: header.run, of: record)
        case .denied: record.output.keep(try Denial(from: &reader))
        case .counted: record.count = try WorkerCount(from: &reader)
        case .crashing: record.ending.crash = try CrashReport(from: &reader, run: header.run)
        default: try serveApplication(kind, header, &reader, of: record)
        }
    }

    /// A program that asks to be run again and does not say when: after its task's pause between attempts.
    private func deferral(of run: RunHandle, asked completion: Completion) -> Deferral? {
        guard completion.program == .later, let task = decider.task(of: run) else { return nil }
        let pause = installed.tasks[task].definition.retry?.backoff ?? ManifestLimits.defaultBackoff
        return Deferral(min(max(pause, Deferral.shortest), Deferral.longest))
    }

    /// - Parameter pid: as its worker said it, before it mapped any code of its application; 0: there is none.
    private func takeExplainer(_ pid: Int32, of record: WorkerRecord) {
        guard pid > 0 else {
            // The kernel tells nobody here: it will not for others either.
            if record.isToBeExplained { runs.explanations.passesOverLibraries = true }
            return
        }
        do throws(SystemError) {
            record.explainer = WorkerRecord.Explainer(pid: pid, handle: try ProcessHandle(opening: pid))
        } catch {
            // A sweep would end the process, and with it the worker's calls.
            failLaunch(of: record) {
                launcher.tell(LaunchFault(error, "the process beside its worker is lost"), of: record.handle)
            }
        }
    }

    /// The run ended badly, was warned or wrote to standard error: what confinement refused it is told, as far as it is known already.
    private func isToBeTold(_ completion: Completion, _ run: RunHandle, _ record: WorkerRecord) -> Bool {
        if !completion.success || !record.output.errors.isEmpty { return true }
        guard record.output.hasDenials, table.owns(run, record) else { return false }
        return runs[run].wroteErrors || runs[run].isWarned
    }

    private func settle(_ record: WorkerRecord, _ report: ConfinementReport) {
        let words = ConfinementText.describe(
            report, as: record.form.account?.name, tier: launcher.groups.tier.rawValue,
            missing: launcher.missing?.sentence,
            holdsAddresses: record.form.definition.permissions.network.isEmpty
                ? nil : record.group.connectGuard != nil,
            disk: launcher.quotas.hold(of: record.application),
            isConfined: record.form.definition.confinement == .full)
        do throws(StoreError) {
            record.setup = try keeper.setupRow(RunSetup(confinement: words, degraded: record.degraded))
        } catch {
            // The commit of this turn fails for the same reason, and stops the host.
            record.setup = nil
        }
    }

    /// A run of the worker ends: output from before belongs to it, and may be in a pipe that is not read at present.
    private func readBeforeEnd(_ record: WorkerRecord) {
        if record.pace.logQuiet != nil || mayHavePrinted {
            drainLog(of: record)
            mayHavePrinted = false
        }
        meterOnce(record)
    }

    func note(_ sentence: String, for run: RunHandle, of record: WorkerRecord) {
        guard table.owns(run, record) else { return noteLate(sentence, for: run, of: record) }
        runs[run].diagnostics.appendClaim(sentence.cut(toBytes: ServiceLimits.sentence))
    }

    /// What the kernel refused a worker, for its run, or for the last one that ended.
    func keep(_ denial: Denial, ofProcess pid: Int32) {
        let record = table.living.first { $0.pid == pid }
        if record.map({ $0.isGone || decider.runCount(of: $0.handle) == 0 }) ?? true,
            let late = launcher.recorded?.late.take(denial, of: pid, at: decider.now.instant), late.isTaken
        {
            if let run = late.run { runs.noteLate(denial.sentence, of: run) }
            return
        }
        record?.output.keep(denial)
    }

    /// What confinement refused the run, by the kernel's records or its program's calls.
    func noteDenials(_ run: RunHandle, of record: WorkerRecord) {
        launcher.recorded?.read()
        let sentences = record.output.takeDenials(
            keeping: record.explainer != nil, canBeLearned: record.isConfinedProgram)
        for sentence in sentences { note(sentence, for: run, of: record) }
        guard let recorded = launcher.recorded, let process = record.pid,
            let id = table.owns(run, record) ? decider.id(of: run) : record.output.endedRuns.id(of: run)
        else { return }
        let told = sentences.isEmpty ? [] : record.output.told
        recorded.late.expect(of: id, process, told: told, at: decider.now.instant)
    }

    /// What it may have refused, by the program's own words.
    private func noteGuesses(_ end: ProgramEnd, _ run: RunHandle, of record: WorkerRecord) {
        guard record.isConfinedProgram, !record.output.errors.isEmpty else { return }
        let status: Int32? = if case .exited(let status) = end { status } else { nil }
        let errors = String(decoding: record.output.errors, as: UTF8.self)
        let isRoot = record.form.account?.user == 0
        for denial in GuessedDenial.all(in: errors, exitStatus: status)
        where !record.output.namesDenial(of: denial.place) {
            let isGranted =
                record.form.definition.permissions.covers(denial)
                || record.folders.contains { GrantResolver.lies(denial.place, in: $0) }
            let sentence =
                isGranted ? denial.sentence(ofOwnership: user(of: record), isRoot: isRoot) : denial.sentence
            note(sentence, for: run, of: record)
        }
        guard isRoot else { return }
        for capability in GuessedDenial.capabilities(in: errors)
        where !record.form.definition.permissions.capabilities.contains(capability) {
            note(GuessedDenial.sentence(lacking: capability), for: run, of: record)
        }
    }

    /// The name of the worker's user, or the number of one that the host made up.
    private func user(of record: WorkerRecord) -> String {
        if let account = record.form.account { return account.name }
        let number = launcher.made[record.application]?.user ?? 0
        return number > 0 ? "\(number)" : Account.name(of: ThisProcess.user) ?? "\(ThisProcess.user)"
    }

    /// Call it before the engine receives the completion, while the run still belongs to the worker.
    func willComplete(_ run: RunHandle, of record: WorkerRecord) {
        guard let id = decider.id(of: run), decider.isActive(run, of: record.handle) else { return }
        record.output.endedRuns.append(run, id, at: decider.now.instant)
    }

    func noteLate(_ sentence: String, for run: RunHandle, of record: WorkerRecord) {
        guard let id = record.output.endedRuns.takeNote(for: run, at: decider.now.instant) else { return }
        runs.noteLate(sentence, of: id)
    }

    /// Notes for the run that completed last which processes it left running: they are being killed. With several runs their
    /// origin is unknown.
    func noteLeftBehind(_ names: String, by record: WorkerRecord) {
        guard let run = record.output.endedRuns.newest else { return }
        noteLate("it left running after its completion, and the host killed: process \(names)", for: run, of: record)
    }

    /// Those of them that the host's kill ends.
    static func namesOfKilled(_ processes: [Int32]) -> String? {
        names(of: processes.filter { !ProcessHandle.isBeyondReach($0) })
    }

    /// The processes by number and name, while they live; nil: there are none.
    static func names(of processes: [Int32]) -> String? {
        guard !processes.isEmpty else { return nil }
        let named = processes.map { pid in
            (pid, (try? FileText.read("/proc/\(pid)/comm", limit: 64)).map { $0.filter { !$0.isNewline } })
        }.filter { $0.1 != ThisProcess.brokerName }
        guard !named.isEmpty else { return nil }
        let words = named.prefix(mostNamed).map { pid, name in "\(pid)" + (name.map { " (\($0))" } ?? "") }
        let rest = named.count > words.count ? " and \(named.count - words.count) more" : ""
        return words.joined(separator: ", ") + rest
    }

    private static let mostNamed = 4
}

extension FrameKind {
    fileprivate var endsRun: Bool { self == .completed || self == .unreported || self == .declined }
}
