import TaskModel

/// A run's marks in two columns: which kinds of them it has, and how it differs: words `kind:value:usual`, by the kinds' names.
enum MarksPacking {
    /// A number of the column `marks`.
    static let unlikeItself: Int64 = 1
    static let wroteErrors: Int64 = 2

    static func pack(_ marks: RunMarks) -> (kinds: Int64, differences: String) {
        let kinds = (marks.differences.isEmpty ? 0 : unlikeItself) | (marks.wroteErrors ? wroteErrors : 0)
        let words = marks.differences.map { "\($0.kind.name):\($0.value):\($0.usual)" }
        return (kinds, words.joined(separator: " "))
    }

    /// A difference that only a later version knows is left out.
    static func unpack(kinds: Int64?, differences: String?) -> RunMarks {
        let found = (differences ?? "").split(separator: " ").compactMap { word -> RunDifference? in
            let parts = word.split(separator: ":")
            guard parts.count == 3, let kind = RunDifference.Kind(name: String(parts[0])), let value = Int64(parts[1]),
                let usual = Int64(parts[2])
            else { return nil }
            return RunDifference(kind, value: value, usual: usual)
        }
        return RunMarks(differences: found, wroteErrors: (kinds ?? 0) & wroteErrors != 0)
    }
}
