import JSON
import Linux
import Serving
import Setting
import TaskModel

/// `taskhost check LIBRARY`
enum CheckVerb: Verb {
    static let name = "check"
    static let summary = "check that a plugin behaves"
    static let help = """
        usage: taskhost check LIBRARY [--symbol NAME | --manifest FILE]

        Runs the library's handlers in workers, with the permissions of their manifest, and checks that the library
        loads, that a run completes once and within its budget, stops when it is warned, leaves nothing running, does
        nothing after its completion, gives back what it took, leaks nothing from run to run, can run again and twice at
        once, and accepts any payload and settings. It brings an application to the foreground and sends it to the
        background, and calls it for background fetch and a notification if its manifest has the modes: it must return
        from didEnterBackground, and answer. The handlers really run; their $STATE is temporary. For a probe that fails
        it shows the last lines of the run's output. By default it looks for the manifest beside the library, in
        manifests folders near it, and where `run` looks.

        exit status: 0 all probes passed · 1 one failed · 16 stopped · 64 usage · 65 bad manifest.
        """
    static let options: [Option] = [
        .valued("--symbol", "NAME", "a handler that the library exports, instead of a manifest"),
        .valued("--manifest", "FILE", "the manifest that names the library"), .manifests, .json,
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        var report = CheckReport()
        let subject = try CheckSubject(arguments, into: &report)
        if let application = subject.application {
            let state = try PassingFolder("/tmp/taskhost-check-", terminal)
            // Until the end of the block, whenever it was used last.
            defer { withExtendedLifetime(state) {} }
            var check = PluginCheck(application, state: state.path, report: report, terminal)
            do throws(CheckFault) {
                try check.run()
            } catch {
                throw failure(error)
            }
            report = check.report
        }
        terminal.clearStatus()
        let document: JSONOutput = [
            "library": .string(subject.library),
            "application": JSONOutput(subject.application?.definition.identifier),
            "passed": .bool(report.hasPassed), "probes": .array(report.results.map(\.json)),
        ]
        terminal.print(document, or: text(report, terminal), for: arguments)
        return report.hasPassed ? ExitStatus.success : ExitStatus.fault
    }

    private static func failure(_ fault: CheckFault) -> Failure {
        switch fault {
        case .host(let error): Opening.failure(error)
        case .stopped:
            Failure(Outcome.interrupted.exitStatus, "the check was stopped; taskhost check; start it again")
        }
    }

    private static func text(_ report: CheckReport, _ terminal: Terminal) -> String {
        let severalTasks = Set(report.results.compactMap(\.task)).count > 1
        var table = TextTable(
            (severalTasks ? ["TASK"] : []) + ["PROBE", "VERDICT", "SEEN"], whole: ["PROBE", "VERDICT"])
        for result in report.results {
            table.add(
                (severalTasks ? [result.task ?? "-"] : []) + [result.probe, result.verdict.rawValue, result.seen])
        }
        let verdictColumn = severalTasks ? 2 : 1
        let rows = table.text(width: terminal.outWidth) { row, column, cell in
            guard column == verdictColumn else { return cell }
            let colour: Terminal.Colour =
                switch report.results[row].verdict {
                case .pass: .green
                case .fail: .red
                case .skip: .yellow
                }
            return terminal.coloured(cell, colour)
        }
        let said = report.results.filter { !$0.printed.isEmpty }.flatMap { result in
            ["\(result.probe): it printed last"] + result.printed.map { "  " + JSONWriter.printable($0) }
        }
        let failed = report.results.count { $0.verdict == .fail }
        return ([rows] + said).joined(separator: "\n") + "\n"
            + (failed == 0 ? "all probes passed" : "\(failed) of \(report.results.count) probes failed")
    }
}
