import Foundation

/// What a fresh, confined process for each run costs in system calls and page faults: of the host, its zygotes and its workers
/// together, from request to recorded outcome.
enum LaunchCountRow {
    private static let few = 50
    private static let many = 250

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        let calls = try (0..<3).map { _ in try perLaunch { try self.calls(laboratory, $0) } }.min() ?? 0
        let faults = try (0..<3).map { _ in try perLaunch { try self.faults(laboratory, $0) } }.min() ?? 0
        return [
            row("systemCallsPerLaunch", "system calls of all processes per cold run", calls, atMost: 245),
            row("pageFaultsPerLaunch", "page faults of all processes per cold run", faults, atMost: 138),
        ]
    }

    private static func row(_ name: String, _ title: String, _ ours: Double, atMost most: Double) -> RowResult {
        RowResult(
            name: name, title: title, unit: .count, ours: ours, referenceTitle: "", aim: "≤ \(Int(most))",
            verdict: ours <= most ? .met : .missed, isCount: true)
    }

    /// The difference leaves start and end of the host out.
    private static func perLaunch(_ count: (Int) throws -> Double) throws -> Double {
        let few = try count(Self.few)
        return (try count(Self.many) - few) / Double(Self.many - Self.few)
    }

    private static func calls(_ laboratory: Laboratory, _ runs: Int) throws -> Double {
        try laboratory.withFolder { folder in
            try launches(laboratory, runs, state: "\(folder)/state").systemCalls(in: folder, follows: true)
                .values.reduce(0, +)
        }
    }

    /// Minor ones: a process's own, and those of its children that it waited for, which a zygote does for its workers.
    private static func faults(_ laboratory: Laboratory, _ runs: Int) throws -> Double {
        try laboratory.withFolder { folder in
            let before = Command.usageOfChildren.ru_minflt
            let output = try launches(laboratory, runs, state: "\(folder)/state").run()
            guard output.status == 0 else { throw BenchmarkError.failed("\(output.standardError.suffix(500))") }
            return Double(Command.usageOfChildren.ru_minflt - before)
        }
    }

    private static func launches(_ laboratory: Laboratory, _ runs: Int, state: String) -> Command {
        laboratory.taskhost([Subject.cold], state: state, ["--repeat", "\(runs)", "--concurrency", "1"])
    }
}
