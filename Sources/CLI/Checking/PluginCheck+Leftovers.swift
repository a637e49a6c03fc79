import Linux
import Serving
import Setting
import TaskModel

// Resources that a run leaves in the process that it shares with others.
extension PluginCheck {
    // MARK: After one run

    /// Call when the worker has rested after the run.
    mutating func look(
        _ bench: CheckBench, _ index: Int, _ task: TaskDefinition, after visit: CheckBench.Visit
    ) throws(CheckFault) {
        guard let worker = visit.census?.worker, bench.census(index)?.worker == worker,
            let count = try bench.count(index)
        else {
            // Its process has ended, which another probe reports, or ends with each run anyway.
            let isolated = application.definition.isolation == .run
            let words = isolated ? "each run has a process of its own, which ends with it" : "its process has ended"
            report.add(task.identifier, "is done when it completes", .skip, words)
            return report.add(task.identifier, "gives back what it took", .skip, words)
        }
        let (_, completed, late) = bench.output(visit)
        var faults: [String] = []
        if !late.isEmpty { faults.append("it printed after its completion") }
        if let completed, let path = lateFile(since: completed) {
            faults.append("it wrote to \(path) after its completion")
        }
        report.add(
            task.identifier, "is done when it completes", faults, else: "nothing printed or written afterwards",
            printed: late.isEmpty ? [] : LastLines.of(late))
        report.add(
            task.identifier, "gives back what it took", Self.leftovers(count),
            else: "task, signals, folder and descriptors are as before", printed: bench.lastLines(visit))
    }

    private static func leftovers(_ count: WorkerCount) -> [String] {
        var words: [String] = []
        if count.tasks > 0 { words.append("the task was never released") }
        if count.assertions > 0 { words.append("a background task was begun and never ended") }
        if count.changes.contains(.standardOutput) { words.append("standard output was closed or replaced") }
        if count.changes.contains(.standardError) { words.append("standard error was closed or replaced") }
        if count.changes.contains(.workingFolder) { words.append("the working folder was changed") }
        if count.changes.contains(.signals) { words.append("signals were left blocked in the host's thread") }
        if count.changes.contains(.fileMode) { words.append("the file mode mask was changed") }
        return words
    }

    /// Something in the application's folders that was changed later than that; nil: there is nothing.
    private func lateFile(since completed: Timestamp) -> String? {
        let root = state + "/applications/\(application.definition.identifier)"
        var ahead = [root]
        var looked = 0
        var folder: String?
        while let path = ahead.popLast() {
            looked += 1
            guard looked < Self.mostLooked, let facts = try? FileSystem.facts(ofPath: path) else { continue }
            if path != root, facts.changed > completed.nanoseconds {
                // A folder changes with its entries, which say more if they still exist.
                let name = String(path.dropFirst(root.count + 1))
                guard facts.isFolder else { return name }
                folder = folder ?? name
            }
            guard facts.isFolder, let names = try? FileSystem.names(in: path) else { continue }
            ahead += names.map { "\(path)/\($0)" }
        }
        return folder
    }

    /// How many files and folders are examined.
    private static let mostLooked = 10_000

    // MARK: After many runs

    /// Runs that take no longer than this are repeated so often, twice.
    private static let paces: [(TimeSpan, Int)] = [(.milliseconds(150), 8), (.milliseconds(600), 4)]
    /// Bytes a run that need not be a leak: caches of threads and of Foundation come and go by as much.
    private static let crumbs = 4096

    /// Compares the process's resources after some runs, after as many more, and after as many again: a number that grows
    /// both times is a leak.
    mutating func leaks(_ bench: CheckBench, _ index: Int, _ task: TaskDefinition, pace: TimeSpan?) throws(CheckFault) {
        let probe = "leaks nothing over runs"
        guard application.definition.isolation != .run else {
            return report.add(task.identifier, probe, .skip, "each run has a process of its own, which ends with it")
        }
        guard let half = Self.paces.first(where: { pace ?? .seconds(9) <= $0.0 })?.1 else {
            return report.add(task.identifier, probe, .skip, "a run takes too long to be repeated often")
        }
        show(task, probe)
        var holdings: [(count: WorkerCount, threads: Int)] = []
        for _ in 0..<3 {
            for _ in 0..<half {
                let visits = try bench.run(index)
                guard visits.allSatisfy({ Judgement($0.record).isGood }) else {
                    return together(task, probe, visits, bench)
                }
            }
            guard let count = try bench.count(index), let threads = bench.census(index)?.threads else {
                return report.add(task.identifier, probe, false, "the worker ended between two runs")
            }
            holdings.append((count, threads))
        }
        func grows(_ amount: (WorkerCount, Int) -> Int, by least: Int) -> Int? {
            let amounts = holdings.map { amount($0.count, $0.threads) }
            let isLeak = amounts[1] - amounts[0] >= least && amounts[2] - amounts[1] >= least
            return isLeak ? amounts[2] - amounts[0] : nil
        }
        var words: [String] = []
        if let more = grows({ count, _ in Int(count.descriptors) }, by: 1) { words.append("\(more) descriptors") }
        if let more = grows({ _, threads in threads }, by: half / 2) { words.append("\(more) threads") }
        if let more = grows({ count, _ in Int(clamping: count.heap) }, by: Self.crumbs * half) {
            words.append("\(ByteCount(bytes: UInt64(more))) of memory")
        }
        report.add(
            task.identifier, probe, words.isEmpty,
            words.isEmpty
                ? "no more descriptors, threads or memory after \(2 * half) runs"
                : words.joined(separator: ", ") + " more after \(2 * half) runs")
    }

    // MARK: After a warning

    /// How long an expiration handler may continue after its run has ended.
    private static let untilReturned = TimeSpan.milliseconds(500)

    /// Call after runs that were warned.
    mutating func expirations(_ bench: CheckBench, _ index: Int, _ task: TaskDefinition) throws(CheckFault) {
        let probe = "its expiration handler returns"
        let began = Clock.moment().instant
        var left: UInt32?
        repeat {
            left = try bench.count(index)?.expirations
        } while (left ?? 0) > 0 && Clock.moment().instant - began < Self.untilReturned
        guard let left else { return report.add(task.identifier, probe, .skip, "its process has ended") }
        let words = left == 0 ? "none is still being called" : "it was called, and never returned"
        report.add(task.identifier, probe, left == 0, words)
    }
}
