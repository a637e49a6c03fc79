import CLinux

/// Random bits for ids, fetched ahead: one system call serves sixteen ids. Secrets come from `RandomBytes`.
package struct RandomPool: ~Copyable {
    private var words = InlineArray<32, UInt64>(repeating: 0)
    /// Words that were not given yet.
    private var left = 0

    package init() {}

    /// 80 bits.
    package mutating func bits() -> (high: UInt16, low: UInt64) {
        if left == 0 { fill() }
        left -= 2
        return (UInt16(truncatingIfNeeded: words[left]), words[left + 1])
    }

    private mutating func fill() {
        let filled = unsafe withUnsafeMutableBytes(of: &words) { unsafe clinux_random($0.baseAddress, $0.count) }
        precondition(filled == RandomBytes.most, "getrandom fills up to 256 bytes at once (getrandom(2))")
        left = words.count
    }
}
