import Foundation

/// Allocations of the host per warm durable run under load. SQLite's own are counted apart: they are not ours to avoid.
enum AllocationRow {
    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        // As for system calls, the least of three: what is gathered for a turn grows once when a turn is long.
        let sessions = try (0..<3).map { _ in
            let few = try allocations(laboratory, 2000), many = try allocations(laboratory, 12000)
            return (sqlite: (many.sqlite - few.sqlite) / 10000, others: (many.others - few.others) / 10000)
        }
        guard let least = sessions.min(by: { $0.others < $1.others }) else { return [] }
        let ours = max(0, least.others)
        return [
            RowResult(
                name: "allocationsPerRun", title: "allocations of the host per warm run", unit: .count, ours: ours,
                referenceTitle: "", aim: "≤ 0.05", verdict: ours <= 0.05 ? .met : .missed, isCount: true,
                details: ["sqlite": least.sqlite])
        ]
    }

    private static func allocations(
        _ laboratory: Laboratory, _ count: Int
    ) throws -> (sqlite: Double, others: Double) {
        try laboratory.withFolder { state in
            try laboratory.allocations(
                of: laboratory.taskhost(
                    [Subject.noop, Subject.secondNoop], state: "\(state)/state",
                    ["--repeat", "\(count / 2)", "--concurrency", "64"]), in: state)
        }
    }
}

extension Laboratory {
    /// Runs the program and counts its allocations: SQLite's own, and all others.
    func allocations(of command: Command, in folder: String) throws -> (sqlite: Double, others: Double) {
        var command = command
        let file = "\(folder)/allocations"
        command.environment = [
            "LD_PRELOAD": URL(fileURLWithPath: "\(options.references)/malloccount.so").path,
            "MALLOCCOUNT_PROGRAM": URL(fileURLWithPath: command.path).lastPathComponent, "MALLOCCOUNT_FILE": file,
        ]
        let output = try command.run()
        guard output.status == 0, let counts = FileManager.default.contents(atPath: file), counts.count == 16 else {
            throw BenchmarkError.failed(
                "counting ended with status \(output.status): \(output.standardError.suffix(500))")
        }
        return counts.withUnsafeBytes { bytes in
            (
                Double(bytes.loadUnaligned(as: UInt64.self)),
                Double(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
