import Foundation

/// How late an expiration handler is called, every core being busy, beside a timer alone.
enum LatenessRow {
    /// Where the kernel lets the host have short slices (Linux 6.12), with every core busy.
    private static let limit = 0.001
    /// Elsewhere, beyond what a timer alone takes.
    private static let beyondTimer = 0.002
    private static var hasSlices: Bool {
        ProcessInfo.processInfo.isOperatingSystemAtLeast(
            OperatingSystemVersion(majorVersion: 6, minorVersion: 12, patchVersion: 0))
    }

    static func measure(_ laboratory: Laboratory) throws -> [RowResult] {
        let count = laboratory.options.runs(100)
        var contestants: [() throws -> [Double]] = [
            {
                let latency = try laboratory.reference("lateness", ["--samples", "\(5 * count)"])
                    .decode(LatencyDocument.self).latency
                return [latency.p50, latency.p99]
            }
        ]
        if !laboratory.options.referencesOnly {
            contestants.append { try ours(laboratory, count) }
        }
        let samples = try laboratory.withBusyCores {
            try laboratory.interleaved(contestants)
        }
        let reference = (p50: samples[0].map { $0[0] }.median, p99: samples[0].map { $0[1] }.median)
        // A round has too few expirations for a 99th percentile of its own.
        let late = samples.count > 1 ? samples[1].flatMap { $0 } : []
        let isIn = late.percentile(0.99) <= (hasSlices ? limit : reference.p99 + beyondTimer)
        return [
            RowResult(
                name: "lateness", title: "lateness of expiration, cores busy", unit: .seconds,
                ours: late.isEmpty ? nil : late.median, oursP99: late.isEmpty ? nil : late.percentile(0.99),
                reference: reference.p50, referenceP99: reference.p99, referenceTitle: "timerfd alone",
                ratio: late.isEmpty ? nil : late.median / reference.p50,
                aim: hasSlices ? "p99 ≤ 1 ms" : "p99 within 2 ms",
                verdict: late.isEmpty ? .shown : isIn ? .met : .missed,
                details: ["samples": Double(late.count), "earliest": late.min() ?? 0])
        ]
    }

    /// The handler notes each lateness, in nanoseconds, in its state folder.
    private static func ours(_ laboratory: Laboratory, _ count: Int) throws -> [Double] {
        try laboratory.withFolder { state in
            let output = try laboratory.taskhost(
                [Subject.lateness], state: state, ["--repeat", "\(count)", "--concurrency", "1"]
            ).run()
            let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
            let notes = files.filter { $0.hasSuffix("/lateness") }.compactMap {
                try? String(contentsOfFile: "\(state)/\($0)", encoding: .utf8)
            }
            let samples = notes.joined().split(separator: "\n").compactMap { Double($0) }.map { $0 * 1e-9 }
            guard samples.count >= count * 9 / 10 else {
                throw BenchmarkError.failed(
                    "only \(samples.count) of \(count) expirations were noted: \(output.standardError)")
            }
            return samples
        }
    }
}
