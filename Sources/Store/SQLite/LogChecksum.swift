/// The checksum of a write-ahead log: every frame's goes on from that of the frame before it
/// (sqlite.org/fileformat2.html, "Checksum Algorithm").
struct LogChecksum: Equatable {
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    /// Goes on with these bytes, a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        unsafe bytes.withUnsafeBytes { raw in
            for offset in stride(from: 0, to: raw.count, by: 8) {
                first &+= unsafe Self.word(raw, offset, isBigEndian) &+ second
                second &+= unsafe Self.word(raw, offset + 4, isBigEndian) &+ first
            }
        }
    }

    /// Bytes as the checksum counts them.
    static func words(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt32] {
        unsafe bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: 4).map { unsafe word(raw, $0, isBigEndian) }
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool) -> UInt32 {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// The word and the bit of it that flipped, if one has: with that bit turned back, `words`, which end with the sums `whole`,
    /// would end with `right`.
    ///
    /// The sums are linear modulo 2³²: a word that is `d` too small, with `n` words behind it, makes the first sum `d` times the
    /// Fibonacci number F(n) too small and the second F(n + 1) times. So each bit costs two multiplications.
    static func flippedBit(of words: [UInt32], ending whole: LogChecksum, for right: LogChecksum) -> (
        word: Int, bit: Int
    )? {
        let missing = (right.first &- whole.first, right.second &- whole.second)
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
