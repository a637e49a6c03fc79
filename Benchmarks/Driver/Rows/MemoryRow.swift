import Foundation

/// What a worker weighs that waits: its proportional set size, in bytes.
enum MemoryRow {
    static let limit = 1.5 * 1024 * 1024
    /// So many workers wait at once: what they share counts for each by its part.
    private static let workers = 8

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let empty = try reference("\(laboratory.options.references)/noop", laboratory)
        var ours: Double?
        if !laboratory.options.referencesOnly { ours = try worker(laboratory) }
        return [
            RowResult(
                name: "idleWorkerBytes", title: "proportional memory of an idle Swift worker, of eight", unit: .bytes,
                ours: ours,
                reference: empty, referenceTitle: "an empty static C process", ratio: ours.map { $0 / empty },
                aim: "≤ 1.5 MiB", verdict: ours.map { $0 <= limit ? .met : .missed } ?? .shown, isCount: true)
        ]
    }

    private static func reference(_ path: String, _ laboratory: Laboratory) throws -> Double {
        let process = try Command(path: path, arguments: ["wait"]).start()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        return try settledMemory { process.processIdentifier }
    }

    private static func worker(_ laboratory: Laboratory) throws -> Double {
        try laboratory.withFolder { state in
            let host = try laboratory.taskhost(
                [Subject.idle], state: state, ["--repeat", "\(workers)", "--concurrency", "\(workers)"]
            ).start()
            defer {
                host.terminate()
                host.waitUntilExit()
            }
            return try settledMemory { mapper(of: "libBenchIdle.so", atLeast: workers) }
        }
    }

    /// The median of ten readings, from half a second after the process appeared. Readings differ: whoever else maps
    /// the same libraries carries a part of them.
    private static func settledMemory(_ process: () -> Int32?) throws -> Double {
        var readings: [Double] = []
        for _ in 0..<100 where readings.count < 15 {
            usleep(100_000)
            if let reading = process().flatMap(Memory.proportional) { readings.append(reading) }
        }
        guard readings.count == 15 else { throw BenchmarkError.failed("no process was there to be weighed") }
        return Array(readings.dropFirst(5)).median
    }

    /// One of the processes that have mapped the library, once there are so many.
    private static func mapper(of library: String, atLeast count: Int) -> Int32? {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let mappers = processes.compactMap { Int32($0) }.filter { process in
            Memory.text(of: "/proc/\(process)/maps")?.contains(library) ?? false
        }
        return mappers.count >= count ? mappers[count / 2] : nil
    }
}
