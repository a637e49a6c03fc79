import Control
import JSON
import Setting
import TaskModel

/// `taskhost doctor`
enum DoctorVerb: Verb {
    static let name = "doctor"
    static let summary = "what the machine gives the host, and what it lacks"
    static let help = """
        usage: taskhost doctor

        Shows a line for each thing that a host wants of its machine: kernel, Landlock, control groups and their
        delegation, pressure, system bus, linger, clock, disk, sleep, journal, the limits that were not enforced for the
        newest runs, the manifests that are not used, and the fleet's database. Each is ok, a note (the host works, with
        less than it could have) or a fault (runs are refused, or do not start), with what it costs and what to do. A
        daemon that serves the state folder answers for itself; without one the verb tries the same things from where it
        runs.

        exit status: 0 no fault · 1 a fault.
        """
    static let options: [Option] = [.manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        try arguments.takesNoWords(of: name)
        var isServing = false
        var checks: [MachineCheck]
        do throws(Failure) {
            let document = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny).document(.doctor)
            isServing = document["serving"]?.bool ?? false
            checks = MachineCheck.list(in: document)
        } catch {
            // The machine can be judged although the state folder is of no use.
            guard [ExitStatus.cannotCreate, ExitStatus.unreachable].contains(error.status) else { throw error }
            let client = try LocalClient(arguments, terminal, looks: true, manifests: .none, passes: true)
            checks = MachineCheck.list(in: try client.document(.doctor))
            checks[0] = MachineCheck(
                .host, .fault, error.sentence, costs: "no run starts, and none is recorded",
                remedy: "make the state folder usable, or name another with --state")
        }
        if let database = (try? Configuration.read(arguments, terminal))?.fleet?.database,
            let place = checks.firstIndex(where: { $0.name == .fleet }), checks[place].status == .ok
        {
            checks[place] = FleetExamination.check(database)
        }
        let document: JSONOutput = ["serving": .bool(isServing), "checks": .array(checks.map(\.json))]
        terminal.print(document, or: text(checks, terminal), for: arguments)
        return checks.contains { $0.status == .fault } ? ExitStatus.fault : ExitStatus.success
    }

    private static func text(_ checks: [MachineCheck], _ terminal: Terminal) -> String {
        let width = MachineCheck.Name.allCases.map(\.name.count).max() ?? 0
        let indent = String(repeating: " ", count: 7 + width + 2)
        var lines: [String] = []
        for check in checks {
            let colour: Terminal.Colour = check.status == .ok ? .green : check.status == .note ? .yellow : .red
            lines.append(
                terminal.coloured(check.status.name.padded(to: 7), colour) + check.name.name.padded(to: width + 2)
                    + JSONWriter.printable(check.found))
            if let costs = check.costs { lines.append("\(indent)costs: \(JSONWriter.printable(costs))") }
            if let remedy = check.remedy { lines.append("\(indent)to do: \(JSONWriter.printable(remedy))") }
        }
        return lines.joined(separator: "\n")
    }
}
