import Foundation

/// Measures taskhost beside its limits and prints the table. Exit status: 0 all well, 1 a count passed its threshold (with
/// `--strict`: an aim was missed), 2 a row could not be measured, 64 usage.
@main
struct Benchmark {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            exit(try run(options))
        } catch BenchmarkError.usage(let sentence) {
            complain("taskhost-bench: \(sentence)\n\(Options.usage)")
            exit(64)
        } catch {
            complain("taskhost-bench: \(BenchmarkError.sentence(of: error))")
            exit(2)
        }
    }

    private static func run(_ options: Options) throws -> Int32 {
        var report = Report(rounds: options.rounds)
        let laboratory = Laboratory(options)
        for row in BenchmarkRow.all where options.only.isEmpty || options.only.contains(row.name) {
            complain("measuring \(row.name) …")
            do {
                report.rows += try row.measure(laboratory)
            } catch {
                report.failures[row.name] = BenchmarkError.sentence(of: error)
            }
        }
        try report.check(against: options.thresholds)
        print(report.table)
        for (row, sentence) in report.failures.sorted(by: { $0.key < $1.key }) { complain("\(row): \(sentence)") }
        for sentence in report.exceeded + report.loose { complain(sentence) }
        if !options.results.isEmpty { try report.write(to: options.results) }
        if !options.readme.isEmpty { try report.insertTable(into: options.readme) }
        if !report.failures.isEmpty { return 2 }
        let missed = options.strict && report.rows.contains { $0.verdict == .missed }
        return report.exceeded.isEmpty && !missed ? 0 : 1
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
