/// One row of the table: a name for `--only`, and the measurement.
struct BenchmarkRow: Sendable {
    var name: String
    var measure: @Sendable (Laboratory) throws -> [RowResult]

    static let all: [BenchmarkRow] = [
        BenchmarkRow(name: "warm", measure: WarmRow.measure),
        BenchmarkRow(name: "throughput", measure: ThroughputRow.measure),
        BenchmarkRow(name: "steady", measure: SteadyRow.measure),
        BenchmarkRow(name: "cold", measure: ColdRow.measure),
        BenchmarkRow(name: "memory", measure: MemoryRow.measure),
        BenchmarkRow(name: "lateness", measure: LatenessRow.measure),
        BenchmarkRow(name: "kill", measure: KillRow.measure),
        BenchmarkRow(name: "watching", measure: WatchingRow.measure),
        BenchmarkRow(name: "calls", measure: SystemCallRow.measure),
        BenchmarkRow(name: "allocations", measure: AllocationRow.measure),
        BenchmarkRow(name: "launches", measure: LaunchCountRow.measure),
        BenchmarkRow(name: "instructions", measure: InstructionRow.measure),
        BenchmarkRow(name: "requests", measure: RequestRow.measure),
        BenchmarkRow(name: "transfers", measure: TransferRow.measure),
        BenchmarkRow(name: "idle", measure: IdleRow.measure),
    ]
}

/// The identifiers of `Benchmarks/Manifests`.
enum Subject {
    static let noop = "org.taskhost.bench.first.noop"
    static let secondNoop = "org.taskhost.bench.second.noop"
    static let foreign = "org.taskhost.bench.first.foreign"
    static let cold = "org.taskhost.bench.cold.noop"
    static let foundation = "org.taskhost.bench.foundation.encode"
    static let idle = "org.taskhost.bench.idle.wait"
    /// Followed by a number up to 64.
    static let steady = "org.taskhost.bench.steady."
    static let lateness = "org.taskhost.bench.timing.lateness"
    static let transfers = "org.taskhost.bench.transfers"
    static let fetching = "org.taskhost.bench.fetching"
    static let fetch = "org.taskhost.bench.fetching.fetch"
    static let overrun = "org.taskhost.bench.timing.overrun"
}
