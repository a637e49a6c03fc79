/// Pages of the record that do not have the checksum that the host gave them.
package struct PageDamage: Sendable {
    /// How many are kept by number.
    private static let most = 8

    /// From 1 on; the first ones that were found.
    private var numbers: InlineArray<8, UInt32> = InlineArray(repeating: 0)
    /// How many are known, `most` at most.
    package private(set) var count = 0

    package init() {}

    package mutating func add(_ page: UInt32) {
        for place in 0..<count where numbers[place] == page { return }
        guard count < Self.most else { return }
        numbers[count] = page
        count += 1
    }

    /// What is said of each.
    package var sentences: [String] {
        (0..<count).map { place in
            "page \(numbers[place]) of the record is not as the host wrote it: a bit flipped, or another program wrote there; "
                + "what it holds may be wrong"
        }
    }
}
