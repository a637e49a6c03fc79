/// SHA-256 (FIPS 180-4) over whole 64-byte blocks, and a tail at the end. A value: copy it to keep a state.
///
/// Every operation in the loop is one that wraps or masks, so that it is fast without the optimiser as well.
struct SHA256 {
    static let blockSize = 64

    private var hash: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// Bytes taken in.
    private(set) var length: UInt64 = 0

    init() {}

    /// Takes in `blocks`, whose length is a multiple of 64.
    mutating func update(blocks: UnsafeRawBufferPointer) {
        precondition(blocks.count % Self.blockSize == 0, "only whole blocks come before the tail")
        guard let start = blocks.baseAddress else { return }
        length &+= UInt64(blocks.count)
        hash.withUnsafeMutableBufferPointer { hash in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                Self.constants.withUnsafeBufferPointer { constants in
                    guard let h = hash.baseAddress, let w = schedule.baseAddress, let k = constants.baseAddress else {
                        return
                    }
                    var offset = 0
                    while offset < blocks.count {
                        Self.compress(start + offset, into: h, schedule: w, constants: k)
                        offset &+= Self.blockSize
                    }
                }
            }
        }
    }

    /// The checksum of all that was taken in, followed by `tail` of any length. 32 bytes.
    func finished(tail: UnsafeRawBufferPointer) -> [UInt8] {
        var padded = [UInt8](tail)
        let total = (length &+ UInt64(tail.count)) &* 8
        padded.append(0x80)
        while padded.count % Self.blockSize != 56 { padded.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: total &>> shift))
        }
        var last = self
        padded.withUnsafeBytes { last.update(blocks: $0) }
        return last.words
    }

    /// The state after whole blocks, to be kept and taken up again by `init(resuming:)`. 40 bytes.
    var saved: [UInt8] {
        words + (0..<8).map { UInt8(truncatingIfNeeded: length &>> UInt64(8 * $0)) }
    }

    /// Takes up a state that `saved` gave; nil when `saved` is not one.
    init?(resuming saved: [UInt8]) {
        guard saved.count == 40 else { return nil }
        for index in 0..<8 {
            hash[index] = saved[(4 * index)..<(4 * index + 4)].reduce(0) { $0 &<< 8 | UInt32($1) }
        }
        length = saved[32...].reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
        guard length % UInt64(Self.blockSize) == 0 else { return nil }
    }

    private var words: [UInt8] {
        hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> UInt32(24 - 8 * $0)) } }
    }

    private static func compress(
        _ block: UnsafeRawPointer, into h: UnsafeMutablePointer<UInt32>, schedule w: UnsafeMutablePointer<UInt32>,
        constants k: UnsafePointer<UInt32>
    ) {
        var i = 0
        while i < 16 {
            w[i] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self))
            i &+= 1
        }
        while i < 64 {
            let x = w[i &- 15]
            let y = w[i &- 2]
            let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ (x &>> 3)
            let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ (y &>> 10)
            w[i] = w[i &- 16] &+ s0 &+ w[i &- 7] &+ s1
            i &+= 1
        }
        var (a, b, c, d) = (h[0], h[1], h[2], h[3])
        var (e, f, g, last) = (h[4], h[5], h[6], h[7])
        i = 0
        while i < 64 {
            let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let choice = (e & f) ^ (~e & g)
            let t1 = last &+ s1 &+ choice &+ k[i] &+ w[i]
            let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            last = g
            g = f
            f = e
            e = d &+ t1
            d = c
            c = b
            b = a
            a = t1 &+ s0 &+ majority
            i &+= 1
        }
        h[0] = h[0] &+ a
        h[1] = h[1] &+ b
        h[2] = h[2] &+ c
        h[3] = h[3] &+ d
        h[4] = h[4] &+ e
        h[5] = h[5] &+ f
        h[6] = h[6] &+ g
        h[7] = h[7] &+ last
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
