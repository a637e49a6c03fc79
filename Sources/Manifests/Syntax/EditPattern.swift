/// A word that others are compared with: a column of the table of edits is one number, a bit a letter, so that a comparison
/// takes some steps a letter of the other word and allocates nothing.
///
/// The way is that of Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances" (2003). Case and
/// separators do not count: `wall_clock` is `wallClock`.
package struct EditPattern {
    /// Letters of a word at most: the bits of a number.
    package static let longest = 64

    /// The places of each letter, by its code.
    private var places = [UInt64](repeating: 0, count: 256)
    private var count = 0

    /// nil: the word has no letters, or more than `longest`.
    package init?(_ word: String) {
        for byte in word.utf8 where !Self.isSeparator(byte) {
            guard count < Self.longest else { return nil }
            places[Int(Self.folded(byte))] |= 1 << UInt64(count)
            count += 1
        }
        guard count > 0 else { return nil }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") }
    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
    package func distance(to other: String) -> Int {
        let last = UInt64(1) << UInt64(count - 1)
        // Where the column rises and falls by one, and where the step to it along the diagonal costs nothing.
        var (rises, falls, diagonal) = (UInt64.max, UInt64(0), UInt64(0))
        var before: UInt64 = 0
        var edits = count
        for byte in other.utf8 where !Self.isSeparator(byte) {
            let same = places[Int(Self.folded(byte))]
            let swapped = ((~diagonal & same) << 1) & before
            diagonal = (((same & rises) &+ rises) ^ rises) | same | falls | swapped
            var (up, down) = (falls | ~(diagonal | rises), diagonal & rises)
            if up & last != 0 { edits += 1 }
            if down & last != 0 { edits -= 1 }
            (up, down) = (up << 1 | 1, down << 1)
            rises = down | ~(diagonal | up)
            falls = up & diagonal
            before = same
        }
        return edits
    }
}
