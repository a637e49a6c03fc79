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

    /// What is said of all, or of those behind the first ones that were known; nil: there are none.
    package func sentence(after known: Int = 0) -> String? {
        guard count > known else { return nil }
        var words = (known..<count).map { "\(numbers[$0])" }
        let last = words.removeLast()
        let pages = words.isEmpty ? "page \(last)" : "pages \(words.joined(separator: ", ")) and \(last)"
        return
            "\(pages) of the record \(words.isEmpty ? "is" : "are") not as the host wrote \(words.isEmpty ? "it" : "them"): "
            + "a bit flipped, or another program wrote there; what stands there may be wrong"
    }
}
