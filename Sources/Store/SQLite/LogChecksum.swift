/// The checksum of a write-ahead log: every frame's goes on from that of the frame before it
/// (sqlite.org/fileformat2.html, "Checksum Algorithm").
struct LogChecksum: Equatable {
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    /// Goes on with these words, an even number.
    mutating func add(_ words: [UInt32]) {
        for pair in stride(from: 0, to: words.count, by: 2) {
            first &+= words[pair] &+ second
            second &+= words[pair + 1] &+ first
        }
    }

    /// The word and the bit of it that flipped, if one has: with that bit turned back, `words` are those that `before` goes on
    /// with to `right`.
    ///
    /// The sums are linear modulo 2³²: a word that is `d` too small, with `n` words behind it, makes the first sum `d` times the
    /// Fibonacci number F(n) too small and the second F(n + 1) times. So each bit costs two multiplications.
    static func flippedBit(of words: [UInt32], after before: LogChecksum, for right: LogChecksum) -> (
        word: Int, bit: Int
    )? {
        var sums = before
        sums.add(words)
        let missing = (right.first &- sums.first, right.second &- sums.second)
        var weights: (UInt32, UInt32) = (0, 1)
        for (place, word) in zip(words.indices, words).reversed() {
            for bit in 0..<32 {
                let mask = UInt32(1) << UInt32(bit)
                let difference = word & mask == 0 ? mask : 0 &- mask
                if weights.0 &* difference == missing.0, weights.1 &* difference == missing.1 { return (place, bit) }
            }
            weights = (weights.1, weights.0 &+ weights.1)
        }
        return nil
    }

    /// How many bits are others.
    func distance(to other: LogChecksum) -> Int {
        (first ^ other.first).nonzeroBitCount + (second ^ other.second).nonzeroBitCount
    }

    init() {}

    /// The sums as a header or a frame holds them.
    init(first: UInt32, second: UInt32) { (self.first, self.second) = (first, second) }
}
