import Confining
import Learning
import Linux
import TaskModel

/// Runs one program with the rights of its user, and notes what it does that confinement would decide about: `taskhost learn` has it
/// as the program of a run. It is of the run's user and the parent of the program, so that the kernel shows it the memory of the
/// tree; what it says is a proposal.
///
/// *Thread*: the process's only one.
final class Watcher {
    /// Processes that the program leaves are watched for so long, as a run without confinement leaves them (`LeftProcesses`).
    private static let rest = TimeSpan.seconds(2)

    private let program: WatchedProgram
    private let calls: [Int32: (name: String, call: WatchedCall)]
    private let notes: CallNotes<WatchReport>

    /// - Parameter arguments: the report's path, then the program's and its arguments.
    static func run(_ arguments: [String]) -> Never {
        guard arguments.count > 1 else { ThisProcess.exit(WorkerExitStatus.refused) }
        for signal in [Signal.SIGTERM, .SIGINT, .SIGHUP] { Signal.outlive(signal) }
        let filter: WatchFilter
        do throws(ConfinementError) { filter = try WatchFilter() } catch { refuse("\(error)") }
        let watcher: Watcher
        do throws(SystemError) {
            watcher = try Watcher(Array(arguments.dropFirst()), filter, report: arguments[0])
        } catch {
            refuse("\(error)")
        }
        watcher.watch()
    }

    private static func refuse(_ cause: String) -> Never {
        StandardStream.tell(Array("taskhost-worker: the program cannot be watched: \(cause)\n".utf8))
        ThisProcess.exit(WorkerExitStatus.refused)
    }

    private init(_ words: [String], _ filter: WatchFilter, report path: String) throws(SystemError) {
        let report = try WatchReport(path)
        program = try WatchedProgram(
            words, environment: ThisProcess.environment, filter: filter.program.instructions)
        calls = filter.names.mapValues { ($0, WatchedCall(named: $0)) }
        notes = CallNotes(of: program.calls, grants: WatchedGrants(), report)
    }

    private func watch() -> Never {
        var end: ProcessEnd?
        var deadline: Instant?
        loop: while true {
            let rest = deadline.map { max(.zero, $0 - Clock.moment().instant) }
            switch program.next(hasEnded: end != nil, within: rest) {
            case .call(let notice):
                answer(notice)
                if rest == .zero { break loop }
            case .ended:
                end = program.wait()
                deadline = Clock.moment().instant + Self.rest
            case .unwatched:
                guard end == nil else { break loop }
                end = program.wait()
            case .timeout: break loop
            }
        }
        notes.report.add(.ended, "", "", by: { "" })
        if let signal = end?.signal { Signal.die(by: signal) }
        ThisProcess.exit(end?.status ?? WorkerExitStatus.refused)
    }

    private func answer(_ notice: SystemCallNotice) {
        if let (name, call) = calls[notice.number] { notes.note(call, name, notice) }
        program.calls.permit(notice)
    }
}
