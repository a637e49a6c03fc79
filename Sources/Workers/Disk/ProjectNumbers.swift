/// The numbers of projects that a host may give to applications.
package struct ProjectNumbers: Sendable {
    package let range: ClosedRange<UInt32>
    /// Numbers in the machine's tables belong to others, even before they are used.
    private let declared: Set<UInt32>

    /// How many numbers are tried: a range may belong to others altogether.
    private static let mostTried = 256

    /// - Parameters:
    ///   - projects: `/etc/projects`: lines of `NUMBER:FOLDER` (projects(5)).
    ///   - names: `/etc/projid`: lines of `NAME:NUMBER` (projid(5)).
    package init(_ range: ClosedRange<UInt32>, projects: String = "", names: String = "") {
        self.range = range
        declared = Self.numbers(in: projects, field: 0).union(Self.numbers(in: names, field: 1))
    }

    private static func numbers(in table: String, field: Int) -> Set<UInt32> {
        var numbers = Set<UInt32>()
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard field < fields.count, let number = UInt32(fields[field].filter { $0 != " " && $0 != "\t" }) else {
                continue
            }
            numbers.insert(number)
        }
        return numbers
    }

    /// What to try, in order, for an application that would like `first`.
    package func candidates(from first: UInt32) -> [UInt32] {
        let first = range.contains(first) ? first : range.lowerBound
        let inOrder = [first...range.upperBound, range.lowerBound...first].lazy.joined()
        return Array(inOrder.prefix(min(Self.mostTried, range.count)).filter { !declared.contains($0) })
    }
}
