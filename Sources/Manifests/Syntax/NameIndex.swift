/// Thousands of names to compare with a misspelled one. A sketch of each gives a lower bound of the distance, so that few
/// are compared letter by letter.
package struct NameIndex: Sendable {
    /// Names that are compared letter by letter at most.
    package static let mostCompared = 128
    /// Longer words are not typing errors.
    private static let longestWord = 64

    private var names: [String] = []
    private var sketches: [NameSketch] = []

    package init() {}

    package var count: Int { names.count }

    package mutating func append(_ name: String) {
        names.append(name)
        sketches.append(NameSketch(name))
    }

    /// The name that was meant, as `Nearest.match` finds it, among those that `isMeant` lets pass by their number.
    package func nearest(to word: String, where isMeant: (Int) -> Bool = { _ in true }) -> String? {
        Nearest.match(for: word, among: candidates(for: word, where: isMeant).map { names[$0] })
    }

    /// The numbers of the names that may be near, those first that may be nearest; `mostCompared` at most.
    package func candidates(for word: String, where isMeant: (Int) -> Bool = { _ in true }) -> [Int] {
        guard !word.isEmpty, word.utf8.count <= Self.longestWord else { return [] }
        let sketch = NameSketch(word)
        var byDistance = [[Int]](repeating: [], count: Self.longestWord / 3 + 2)
        for index in sketches.indices {
            let least = sketch.leastDistance(to: sketches[index])
            guard least <= sketches[index].allowedEdits, least < byDistance.count,
                byDistance[least].count < Self.mostCompared, isMeant(index)
            else { continue }
            byDistance[least].append(index)
        }
        return Array(byDistance.joined().prefix(Self.mostCompared))
    }
}

/// Which letters a name has, once or more often, and how many in all.
private struct NameSketch: Sendable, BitwiseCopyable {
    private var letters: UInt64 = 0
    private var length: UInt16 = 0
    /// The number that `Nearest` allows.
    private(set) var allowedEdits: Int

    init(_ name: String) {
        allowedEdits = max(1, name.utf8.count / 3)
        for byte in name.utf8 where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
            length = min(length + 1, .max - 1)
            switch byte | 0x20 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                let bit = UInt64(1) << UInt64((byte | 0x20) - UInt8(ascii: "a"))
                // Its bit for the second occurrence is above those of letters, digits and the rest.
                letters |= letters & bit == 0 ? bit : bit << 37
            case UInt8(ascii: "0")...UInt8(ascii: "9"): letters |= 1 << UInt64(26 + byte - UInt8(ascii: "0"))
            default: letters |= letters & 1 << 36 == 0 ? 1 << 36 : 1 << 63
            }
        }
    }

    /// An edit changes two bits at most, and the length by one.
    func leastDistance(to other: NameSketch) -> Int {
        max(
            ((letters ^ other.letters).nonzeroBitCount + 1) / 2, abs(Int(length) - Int(other.length)))
    }
}
