import Foundation

/// The table for people and the document for programs.
struct Report: Encodable {
    struct Machine: Encodable {
        var system: String
        var processor: String
        var processors: Int
        var loadBefore: Double
    }
    var date: String
    var machine: Machine
    var rounds: Int
    var rows: [RowResult] = []
    /// Rows that have no result, by name.
    var failures: [String: String] = [:]
    /// Counts beyond their threshold.
    var exceeded: [String] = []
    /// Counts without a threshold that could show a step back.
    var loose: [String] = []

    init(rounds: Int) {
        date = ISO8601DateFormatter().string(from: Date())
        self.rounds = rounds
        var load = [0.0]
        getloadavg(&load, 1)
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? "?"
        let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = processors.split(separator: "\n").first { $0.hasPrefix("model name") } ?? ""
        machine = Machine(
            system: "Linux \(kernel.split(separator: ".").prefix(2).joined(separator: "."))",
            processor: model.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "?",
            processors: ProcessInfo.processInfo.activeProcessorCount, loadBefore: load[0])
    }

    // MARK: Table

    /// Aligned columns; also valid Markdown.
    var table: String {
        var lines = [["work", "ours p50 (p99)", "beside it", "p50 (p99)", "ratio", "aim", ""]]
        for row in rows {
            lines.append([
                row.title, Self.text(row.ours, row.oursP99, row.unit), row.referenceTitle,
                Self.text(row.reference, row.referenceP99, row.unit),
                row.ratio.map { String(format: "%.2f", $0) } ?? "", row.aim,
                row.verdict == .shown ? "" : row.verdict.rawValue,
            ])
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        lines.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
        return lines.map { line in
            "| "
                + zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |"
        }.joined(separator: "\n")
    }

    /// Replaces what stands between `<!-- table -->` and `<!-- /table -->`.
    func insertTable(into path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard let start = text.range(of: "<!-- table -->"), let end = text.range(of: "<!-- /table -->"),
            start.upperBound <= end.lowerBound
        else { throw BenchmarkError.failed("\(path) has no place for the table") }
        let heading =
            "Measured \(date.prefix(10)): \(machine.processors) processors, \(machine.system), \(rounds) rounds."
        let new = text[..<start.upperBound] + "\n\(heading)\n\n\(table)\n" + text[end.lowerBound...]
        try new.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func text(_ value: Double?, _ p99: Double?, _ unit: RowResult.Unit) -> String {
        guard let value else { return "" }
        guard let p99 else { return text(value, unit) }
        return "\(text(value, unit)) (\(text(p99, unit)))"
    }

    private static func text(_ value: Double, _ unit: RowResult.Unit) -> String {
        switch unit {
        case .seconds where abs(value) < 0.000_01: String(format: "%.2f µs", value * 1e6)
        case .seconds where abs(value) < 0.001: String(format: "%.0f µs", value * 1e6)
        case .seconds: String(format: "%.2f ms", value * 1e3)
        case .runsPerSecond, .perSecond: String(format: "%.0f /s", value)
        case .bytes where value < 10_000: String(format: "%.0f bytes", value)
        case .bytes: String(format: "%.2f MiB", value / 1_048_576)
        case .count: String(format: "%.3f", value)
        }
    }

    // MARK: Thresholds

    /// Compares counts with the thresholds kept in the repository, by the rows' names.
    mutating func check(against path: String) throws {
        guard let data = FileManager.default.contents(atPath: path),
            let thresholds = try? JSONDecoder().decode([String: Double].self, from: data)
        else { throw BenchmarkError.failed("\(path) is no JSON object of numbers") }
        for row in rows where row.isCount {
            guard let ours = row.ours else { continue }
            guard let threshold = thresholds[row.name] else {
                if row.slack != nil { loose.append("\(row.name) is \(ours) and has no threshold; add one in \(path)") }
                continue
            }
            if ours > threshold { exceeded.append("\(row.name) is \(ours), beyond its threshold of \(threshold)") }
            if let slack = row.slack, ours < threshold * (1 - slack) {
                loose.append("\(row.name) is \(ours), far below its threshold of \(threshold); lower it in \(path)")
            }
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path)) } catch {
            throw BenchmarkError.failed("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
