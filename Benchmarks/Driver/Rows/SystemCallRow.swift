import Foundation

/// System calls of the host per warm durable run under load, counted by strace on its loop's thread.
enum SystemCallRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        // Where others keep the machine busy a turn finds fewer runs to do at once: the least of six sessions is the host's own.
        let sessions = try (0..<6).map { _ in
            let counts = try countsPerRun(laboratory)
            return (counts: counts, total: counts.values.reduce(0, +))
        }
        guard let least = sessions.min(by: { $0.total < $1.total }) else { return [] }
        let total = least.total
        return [
            RowResult(
                name: "systemCallsPerRun", title: "system calls of the host per warm run", unit: .count, ours: total,
                referenceTitle: "", aim: "≤ 1.4", verdict: total <= 1.4 ? .met : .missed, isCount: true,
                details: least.counts.filter { $0.value >= 0.005 })
        ]
    }

    /// The difference leaves start and end of the process out.
    private static func countsPerRun(_ laboratory: Laboratory) throws -> [String: Double] {
        let few = try calls(laboratory, 2000), many = try calls(laboratory, 12000)
        return Dictionary(uniqueKeysWithValues: many.map { ($0, ($1 - (few[$0] ?? 0)) / 10000) })
    }

    private static func calls(_ laboratory: Laboratory, _ count: Int) throws -> [String: Double] {
        try laboratory.withFolder { state in
            try laboratory.taskhost(
                [Subject.noop, Subject.secondNoop], state: "\(state)/state",
                ["--repeat", "\(count / 2)", "--concurrency", "64"]
            ).systemCalls(in: state)
        }
    }
}
