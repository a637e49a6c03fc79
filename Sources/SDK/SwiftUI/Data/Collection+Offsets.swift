extension RangeReplaceableCollection where Self: MutableCollection, Index == Int {
    /// Removes the elements at the offsets.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for range in offsets.rangeView.reversed() {
            removeSubrange(startIndex + range.lowerBound..<startIndex + range.upperBound)
        }
    }
}

extension MutableCollection {
    /// Moves the elements at some offsets to before the element at another, which is counted before the move.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let rest = { (offsets: Range<Int>) in offsets.filter { !source.contains($0) }.map { all[$0] } }
        let moved = source.map { all[$0] }
        let ordered = rest(0..<destination) + moved + rest(destination..<all.count)
        var index = startIndex
        for element in ordered {
            self[index] = element
            formIndex(after: &index)
        }
    }
}
