import TaskModel

/// Stretches of time as a picture of characters: one row below the other, on one scale.
struct TimeLine {
    /// A stretch, and how it is drawn.
    struct Stretch {
        var from: Timestamp
        var to: Timestamp
        var mark: Character
        /// However short it is, there is a mark for it.
        var isKept: Bool

        init(_ from: Timestamp, _ to: Timestamp, _ mark: Character, isKept: Bool = true) {
            (self.from, self.to, self.mark, self.isKept) = (from, to, mark, isKept)
        }
    }

    let from: Timestamp
    let to: Timestamp

    /// A row of this many characters. Each represents an equal part of the time, and shows the state with the largest share;
    /// a space: none.
    func row(_ stretches: [Stretch], cells: Int) -> String {
        let span = max(1, (to - from).nanoseconds)
        /// The place of a time, in nanoseconds from the beginning times the number of cells: only whole numbers.
        func place(_ moment: Timestamp) -> Double { Double((moment - from).nanoseconds) * Double(cells) / Double(span) }
        var row = [Character](repeating: " ", count: cells)
        var most = [Double](repeating: 0, count: cells)
        var covered = most
        var isShown = [Bool](repeating: false, count: stretches.count)
        var owner = [Int?](repeating: nil, count: cells)
        for (number, stretch) in stretches.enumerated() {
            let (begin, end) = (max(0, place(stretch.from)), min(Double(cells), place(stretch.to)))
            var cell = Int(begin)
            while cell < cells, Double(cell) < end {
                let share = min(end, Double(cell + 1)) - max(begin, Double(cell))
                covered[cell] += share
                if share > most[cell] { (most[cell], row[cell], owner[cell]) = (share, stretch.mark, number) }
                cell += 1
            }
        }
        for cell in 0..<cells where 1 - covered[cell] > most[cell] { (row[cell], owner[cell]) = (" ", nil) }
        for case let number? in owner { isShown[number] = true }
        for (number, stretch) in stretches.enumerated() where stretch.isKept && !isShown[number] {
            let middle = (place(stretch.from) + place(stretch.to)) / 2
            guard middle >= 0, middle <= Double(cells) else { continue }
            row[min(cells - 1, Int(middle))] = stretch.mark
        }
        return String(row)
    }
}

extension TimeLine {
    static let ran: Character = "#"
    static let stood: Character = "."
    static let slept: Character = "z"
    static let terminated: Character = "x"

    /// A run from its start to its end, in the pieces between its pauses.
    ///
    /// - Parameter now: the end of a run in progress.
    static func stretches(of run: RunRecord, until now: Timestamp) -> [Stretch] {
        guard let started = run.startedAt else { return [] }
        let end = max(started, run.endedAt ?? now)
        var stretches: [Stretch] = []
        var begin = started
        for pause in run.pauses {
            let (from, to) = (min(max(pause.from, begin), end), min(max(pause.to ?? end, begin), end))
            if from > begin { stretches.append(Stretch(begin, from, ran)) }
            stretches.append(Stretch(from, to, stood, isKept: false))
            begin = max(from, to)
        }
        if end > begin || stretches.isEmpty { stretches.append(Stretch(begin, end, ran)) }
        return stretches
    }

    /// The meaning of the marks of one run: `# ran 12 s in 3 pieces, . stood still 18 s`.
    static func legend(_ stretches: [Stretch]) -> String {
        func sum(_ mark: Character) -> TimeSpan {
            stretches.filter { $0.mark == mark }.reduce(.zero) { $0 + ($1.to - $1.from) }
        }
        let pieces = stretches.count { $0.mark == ran }
        let ranFor = "\(ran) ran \(sum(ran))" + (pieces > 1 ? " in \(pieces) pieces" : "")
        guard stretches.contains(where: { $0.mark == stood }) else { return ranFor }
        return "\(ranFor), \(stood) stood still \(sum(stood))"
    }
}
