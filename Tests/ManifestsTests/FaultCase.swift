import Testing

/// A manifest with faults and the messages that report them.
///
/// A table has a line for each manifest and below it one line for each message, beginning with `= `. The first letter of a
/// manifest says what is spelled out: `R` all of it, `X` the members of the root beside its identifier and one task, `T` the members of that
/// task. In messages `§` stands for the path of that task.
struct FaultCase: Sendable, CustomTestStringConvertible {
    var manifest: String
    var messages: [String] = []
    var testDescription: String { manifest }

    static func parse(_ table: String) -> [FaultCase] {
        var cases: [FaultCase] = []
        for line in table.split(separator: "\n") {
            let text = String(line.dropFirst(2))
            switch line.first {
            case "R": cases.append(FaultCase(manifest: text))
            case "X": cases.append(FaultCase(manifest: ManifestText.with(extra: text)))
            case "T": cases.append(FaultCase(manifest: ManifestText.with(task: text)))
            default:
                let message = text.split(separator: "§", maxSplits: 1, omittingEmptySubsequences: false)
                cases[cases.count - 1].messages.append(message.joined(separator: #"$.tasks["com.example.a.t"]"#))
            }
        }
        return cases
    }
}
