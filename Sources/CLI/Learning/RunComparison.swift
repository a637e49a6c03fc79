import Learning
import Linux
import TaskModel

/// What two runs of a task with the same permissions have in common: by this other runs are judged. What differs between them, such
/// as contents and names with a date, is not compared.
struct RunComparison {
    private let trial: LearningBench.Trial
    private let comparesOutput: Bool
    /// Files that both changed.
    private let names: Set<String>
    /// Files that both removed.
    private let removed: Set<String>
    /// Files whose contents were the same.
    private let contents: Set<String>

    init(_ first: LearningBench.Trial, _ second: LearningBench.Trial) {
        trial = second
        comparesOutput = Self.shape(first.output) == Self.shape(second.output)
        names = Set(first.effects.changed.keys).intersection(second.effects.changed.keys)
        removed = first.effects.removed.intersection(second.effects.removed)
        contents = names.filter { first.effects.changed[$0]?.digest == second.effects.changed[$0]?.digest }
    }

    /// How another run differs; nil: it does not.
    ///
    /// - Parameter onlyEnd: its effects are not looked at.
    func difference(of other: LearningBench.Trial, onlyEnd: Bool = false) -> String? {
        if other.record.outcome != trial.record.outcome { return "\(other.record.outcome?.name ?? "no outcome")" }
        let (status, expected) = (other.record.figures.exitStatus, trial.record.figures.exitStatus)
        if status != expected { return "exit status \(status ?? 0)" }
        if comparesOutput, Self.shape(other.output) != Self.shape(trial.output) { return "other output" }
        guard !onlyEnd else { return nil }
        if let kept = removed.subtracting(other.effects.removed).min() { return "\(kept) is not removed" }
        for path in names.sorted() {
            guard let mark = other.effects.changed[path], let own = trial.effects.changed[path] else {
                return "\(path) is not written"
            }
            if mark.mode != own.mode { return "\(path) has another mode" }
            if (mark.owner, mark.group) != (own.owner, own.group) { return "\(path) has another owner" }
            if mark.isOld != own.isOld { return "\(path) has another time" }
            if contents.contains(path), mark.digest != own.digest { return "\(path) has other contents" }
        }
        return nil
    }

    /// Whether both changed anything.
    var hasEffects: Bool { !names.isEmpty || !removed.isEmpty }

    /// Whether both changed something in a folder, or that file.
    func hasEffects(in place: String) -> Bool {
        names.union(removed).contains { GrantResolver.lies($0, in: place) }
    }

    /// Output with each number as one digit: times and counts may differ.
    private static func shape(_ output: [UInt8]) -> [UInt8] {
        var shape: [UInt8] = []
        for byte in output {
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, shape.last == 0x30 { continue }
            shape.append(isDigit ? 0x30 : byte)
        }
        return shape
    }
}
