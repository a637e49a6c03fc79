import Foundation

/// Instructions of the host per warm durable run under load, and per durable submission, counted by callgrind: they show a
/// step back that neither a system call nor an allocation shows, however busy the machine is.
enum InstructionRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        return [try runs(laboratory), try submissions(laboratory)]
    }

    /// The host alone: zygotes and workers are programs of their own, which valgrind does not follow.
    private static func runs(_ laboratory: Laboratory) throws -> RowResult {
        // As for system calls, the least of three.
        let figures = try (0..<3).map { _ in
            try difference(1000, 5000) { count in
                try laboratory.withFolder { folder in
                    try laboratory.instructions(
                        of: laboratory.taskhost(
                            [Subject.noop, Subject.secondNoop], state: "\(folder)/state",
                            ["--repeat", "\(count / 2)", "--concurrency", "64"]), in: folder)
                }
            }
        }
        return row(
            "instructionsPerRun", "instructions of the host per warm run", figures.min() ?? 0, figures: figures)
    }

    /// Scheduler and store, 64 in a commit. The tasks are the same in both sessions.
    private static func submissions(_ laboratory: Laboratory) throws -> RowResult {
        let ours = try difference(2000, 12000) { count in
            try laboratory.withFolder { folder in
                try laboratory.instructions(
                    of: laboratory.requests(
                        "submits",
                        [
                            "--requests", "12000", "--submissions", "\(count)", "--batch", "64", "--database",
                            "\(folder)/taskhost.db",
                        ]), in: folder)
            }
        }
        return row("instructionsPerSubmission", "instructions per durable submission, 64 in a commit", ours)
    }

    /// Of one more, so that start and end of the process drop out.
    private static func difference(_ few: Int, _ many: Int, _ count: (Int) throws -> Double) throws -> Double {
        let less = try count(few)
        return (try count(many) - less) / Double(many - few)
    }

    private static func row(_ name: String, _ title: String, _ ours: Double, figures: [Double] = []) -> RowResult {
        RowResult(
            name: name, title: title, unit: .count, ours: ours, referenceTitle: "", aim: "", verdict: .shown,
            isCount: true, slack: 0.03,
            details: Dictionary(
                uniqueKeysWithValues: figures.enumerated().map { ("session\($0.offset + 1)", $0.element) }))
    }
}

extension Laboratory {
    /// Runs the program under callgrind and counts its instructions, those of all its threads and of none of its children.
    func instructions(of command: Command, in folder: String) throws -> Double {
        let file = "\(folder)/callgrind"
        // Without debug information, which valgrind may not understand.
        let program = "\(options.references)/counted/\(URL(fileURLWithPath: command.path).lastPathComponent)"
        var counting = Command(
            path: "/usr/bin/env",
            arguments: [
                "valgrind", "--quiet", "--tool=callgrind", "--trace-children=no", "--callgrind-out-file=\(file)",
                program,
            ] + command.arguments)
        counting.environment = [
            "LD_PRELOAD": URL(fileURLWithPath: "\(options.references)/undervalgrind.so").path,
            // Tables in the same order each time.
            "SWIFT_DETERMINISTIC_HASHING": "1",
        ]
        let output = try counting.run()
        guard output.status == 0, let text = try? String(contentsOfFile: file, encoding: .utf8),
            let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
            let count = Double(line.dropFirst(8))
        else {
            throw BenchmarkError.failed(
                "valgrind ended with status \(output.status): \(output.standardError.suffix(500))")
        }
        return count
    }
}
