import Control
import JSON
import Linux
import Serving
import TaskModel

/// `taskhost run -- COMMAND…`: a host in this process runs one command, whatever a daemon does.
struct CommandRun {
    private let arguments: Arguments
    private let command: ShellCommand

    init(_ arguments: Arguments) throws(Failure) {
        guard arguments.words.count == arguments.command?.count, !arguments.has("--all"), !arguments.has("--repeat")
        else {
            throw .usage("a command behind -- runs alone; taskhost run; leave out identifiers, --all and --repeat")
        }
        guard !arguments.has("--once") || !arguments.has("--as") else {
            throw .usage("--once names the task as --as does; taskhost run; leave one out")
        }
        self.arguments = arguments
        command = try ShellCommand(arguments, of: RunVerb.name, named: arguments.value("--once"))
    }

    func run(_ terminal: Terminal) throws(Failure) -> Int32 {
        if arguments.has("--print-manifest") {
            terminal.print(command.manifest(schedule: nil).text(.pretty))
            return ExitStatus.success
        }
        let daemon = try HostAccess.openIfServed(arguments)
        var (client, state) = try host(isServed: daemon != nil, terminal)
        if arguments.has("--once"), let earlier = try earlier([client, daemon]) {
            try client.close()
            tell("\(command.identifier) was started before, at \(earlier.submittedAt.iso8601); nothing runs", terminal)
            return ExitStatus.success
        }
        let id = try client.run(
            toItsEnd: command.identifier, payload: [], attempt: RunVerb.attempt(of: arguments), terminal)
        let (record, document) = try client.run(id.description)
        if isKeptByDaemon(document) { state = try Places.state(arguments) }
        report(record, state, terminal)
        return (record.outcome ?? .interrupted).exitStatus
    }

    /// A host of the state folder, or of one beside it while that has another host.
    private func host(isServed: Bool, _ terminal: Terminal) throws(Failure) -> (LocalClient, state: String) {
        let state = try Places.state(arguments)
        let configuration = try Configuration.read(arguments, terminal)
        let application = try command.application(configuration)
        var folders = PrivateState.folders(ofCommandsBeside: state)
        if !isServed { folders.insert(state, at: 0) }
        // Another record would not know that it was started.
        if arguments.has("--once") { folders = Array(folders.prefix(1)) }
        var last = Failure.unreachable("too many commands run at once; \(state); wait for one of them")
        for folder in folders {
            do throws(Failure) {
                return (try LocalClient([application], writable: [], state: folder, configuration, terminal), folder)
            } catch {
                guard error.status == ExitStatus.unreachable else { throw error }
                last = error
            }
        }
        throw last
    }

    /// The run of the name that was started first, as far as the record reaches.
    private func earlier(_ clients: [(any HostClient)?]) throws(Failure) -> RunRecord? {
        for client in clients {
            let document = try client?.document(.listRuns, query: [("identifier", command.identifier), ("limit", "1")])
            if let run = document?["runs"]?.array?.first.flatMap(RunDocument.read) { return run }
        }
        return nil
    }

    /// Whether a daemon of the state folder remembers it; one of an earlier version cannot. The command has run, whatever comes of this.
    private func isKeptByDaemon(_ run: JSONValue) -> Bool {
        guard let daemon = try? HostAccess.openIfServed(arguments) else { return false }
        return (try? daemon.document(.recordRun, body: ["run": JSONOutput(run)])) != nil
    }

    /// A command's own output is all that others read: what the host says of it is for a person.
    private func tell(_ sentence: String, _ terminal: Terminal) {
        if terminal.isInteractive { terminal.note("taskhost: \(sentence)") }
    }

    private func report(_ record: RunRecord, _ state: String, _ terminal: Terminal) {
        if arguments.isJSON { return RunReport.print([record], arguments, terminal) }
        let place = "taskhost show \(record.id)" + (state == (try? Places.state(arguments)) ? "" : " --state \(state)")
        switch record.outcome {
        case .succeeded: break
        case .refused:
            let causes = record.diagnostics.joined(separator: "; ")
            let near = command.isThere ? nil : ProgramSearch.nearest(to: command.program)
            terminal.note(
                "taskhost: \(command.program) was refused; \(causes); "
                    + (near.map { "did you mean \($0)?" } ?? "see \(place)"))
        default:
            for diagnostic in record.diagnostics { tell(diagnostic, terminal) }
            let status = record.figures.exitStatus.map { ", exit status \($0)" } ?? ""
            tell("\(record.identifier): \(record.outcome?.name ?? "in progress")\(status); see \(place)", terminal)
        }
    }
}
