/// Sorts names that come in portions, a little work at a time: portions are sorted as they come, then merged two by two.
struct NameSorter {
    /// Each sorted.
    private var runs: [[String]] = []

    /// Takes in a portion.
    mutating func add(_ names: [String]) { if !names.isEmpty { runs.append(names.sorted()) } }

    /// Merges once; false when all is one list.
    mutating func merge() -> Bool {
        guard runs.count > 1 else { return false }
        // From the front to the back: every name is merged as often as the logarithm of the portions.
        let first = runs.removeFirst()
        let second = runs.removeFirst()
        var merged: [String] = []
        merged.reserveCapacity(first.count + second.count)
        var (i, j) = (0, 0)
        while i < first.count, j < second.count {
            if second[j] < first[i] {
                merged.append(second[j])
                j += 1
            } else {
                merged.append(first[i])
                i += 1
            }
        }
        merged += first[i...]
        merged += second[j...]
        runs.append(merged)
        return runs.count > 1
    }

    /// All names in their order, once `merge` had nothing more to do.
    var names: [String] { runs.first ?? [] }
}
