import Foundation
import TestSupport

/// Metrics as a strict reader of text 0.0.4 and OpenMetrics 1.0.0 takes them: it refuses what either forbids.
struct Exposition {
    struct Family {
        var name: String
        var kind: String
        var unit: String?
        var samples: [Sample] = []
    }

    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
        /// Of an OpenMetrics example.
        var example: [String: String]?
    }

    private(set) var families: [Family] = []
    let isOpenMetrics: Bool

    init(_ text: String, isOpenMetrics: Bool) throws {
        self.isOpenMetrics = isOpenMetrics
        guard text.hasSuffix("\n") else { throw Problem("the last line has no end") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        if isOpenMetrics { guard lines.popLast() == "# EOF" else { throw Problem("no # EOF") } }
        for line in lines { try line.hasPrefix("#") ? readComment(line) : readSample(line) }
        for family in families { try check(family) }
        let names = families.map(\.name)
        guard Set(names).count == names.count else { throw Problem("a family twice: \(names)") }
    }

    subscript(name: String) -> [Sample] { families.first { $0.name == name }?.samples ?? [] }

    /// The one sample with these labels among its own.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let all = families.flatMap(\.samples).filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return all.count == 1 ? all[0].value : nil
    }

    private mutating func readComment(_ line: Substring) throws {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, words[0] == "#" else { throw Problem("\(line)") }
        switch words[1] {
        case "HELP": families.append(Family(name: words[2], kind: ""))
        case "TYPE":
            guard families.last?.name == words[2], families.last?.kind == "" else { throw Problem("\(line)") }
            guard ["counter", "gauge", "histogram"].contains(words[3]) else { throw Problem("\(line)") }
            families[families.count - 1].kind = words[3]
        case "UNIT":
            guard isOpenMetrics, families.last?.name == words[2], words[2].hasSuffix("_" + words[3]) else {
                throw Problem("\(line)")
            }
            families[families.count - 1].unit = words[3]
        default: throw Problem("\(line)")
        }
    }

    private mutating func readSample(_ line: Substring) throws {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*?\})? ([^ ]+)(?: # (\{[^}]*\}) ([^ ]+) ([^ ]+))?/
        guard let match = line.wholeMatch(of: pattern), let value = Double(match.3.replacing("+Inf", with: "inf")),
            var family = families.popLast()
        else { throw Problem("\(line)") }
        let sample = Sample(
            name: String(match.1), labels: try Self.labels(match.2 ?? "{}"), value: value,
            example: try match.4.map { try Self.labels($0) })
        if sample.example != nil, !isOpenMetrics || !sample.name.hasSuffix("_bucket") { throw Problem("\(line)") }
        guard !family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
            throw Problem("twice: \(line)")
        }
        family.samples.append(sample)
        families.append(family)
    }

    private static func labels(_ text: Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text.dropFirst().dropLast()
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/) else {
                throw Problem("labels \(text)")
            }
            guard labels.updateValue(String(match.2), forKey: String(match.1)) == nil else { throw Problem("\(text)") }
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    private func check(_ family: Family) throws {
        let base = isOpenMetrics || family.kind != "counter" ? family.name : String(family.name.dropLast(6))
        guard family.kind != "counter" || isOpenMetrics != family.name.hasSuffix("_total") else {
            throw Problem("\(family.name)")
        }
        let suffixes: Set<String> =
            switch family.kind {
            case "counter": isOpenMetrics ? ["_total", "_created"] : ["_total"]
            case "histogram": Set(["_bucket", "_sum", "_count"] + (isOpenMetrics ? ["_created"] : []))
            default: [""]
            }
        for sample in family.samples {
            guard sample.name.hasPrefix(base), suffixes.contains(String(sample.name.dropFirst(base.count))) else {
                throw Problem("\(sample) in \(family.name)")
            }
            guard family.kind == "gauge" || sample.value >= 0 else { throw Problem("\(sample)") }
        }
        guard family.kind == "histogram" else { return }
        let buckets = Dictionary(grouping: family.samples.filter { $0.name == base + "_bucket" }) { sample in
            sample.labels.filter { $0.key != "le" }
        }
        for (labels, list) in buckets {
            guard list.map(\.value) == list.map(\.value).sorted(), list.last?.labels["le"] == "+Inf",
                family.samples.first(where: { $0.name == base + "_count" && $0.labels == labels })?.value
                    == list.last?.value
            else { throw Problem("\(list)") }
        }
    }
}
