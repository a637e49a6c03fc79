import Foundation

/// How often the threads of a daemon wake up that has nothing to do, in a minute.
enum IdleRow {
    private static let settling = 12.0
    private static let seconds = 20.0

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        guard !laboratory.options.referencesOnly else { return [] }
        let wakeUps = try laboratory.withFolder { folder in
            let (manifests, state) = ("\(folder)/manifests", "\(folder)/state")
            try FileManager.default.createDirectory(atPath: manifests, withIntermediateDirectories: true)
            let host = try Daemon(laboratory, state: state, manifests: manifests)
            return try self.wakeUps(of: host.processIdentifier)
        }
        return [
            RowResult(
                name: "idleWakeUps", title: "wake-ups of an idle daemon in a minute", unit: .count, ours: wakeUps,
                referenceTitle: "", aim: "0", verdict: wakeUps == 0 ? .met : .missed, isCount: true)
        ]
    }

    /// How often the threads of a daemon wake up in a minute, from some time after its last connection on.
    static func wakeUps(of process: Int32) throws -> Double {
        // The daemon looks once more after a connection, ten seconds later: that belongs to the connection.
        Thread.sleep(forTimeInterval: settling)
        let before = try switches(of: process)
        Thread.sleep(forTimeInterval: seconds)
        return Double(try switches(of: process) - before) * 60 / seconds
    }

    /// Times that any of its threads gave up the processor to wait.
    private static func switches(of process: Int32) throws -> Int {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return try threads.reduce(0) { sum, thread in
            guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/task/\(thread)/status") else { return sum }
            let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") }),
                let count = line.split(separator: "\t").last.flatMap({ Int($0) })
            else { throw BenchmarkError.failed("/proc/\(process)/task/\(thread)/status has no switches") }
            return sum + count
        }
    }
}
