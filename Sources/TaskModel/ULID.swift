/// The id of a run: 48 bits of milliseconds since 1970 and 80 random bits, written as 26 characters of Crockford's
/// base 32 (ULID specification). Ids sort by the time they were made.
package struct ULID: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameters: `random` gives 80 bits: all of `low`, and the lowest 16 of `high`.
    package init(at time: Timestamp, random: (high: UInt16, low: UInt64)) {
        self.init(milliseconds: Self.milliseconds(of: time), random)
    }

    private init(milliseconds: UInt64, _ random: (high: UInt16, low: UInt64)) {
        self.init(high: milliseconds << 16 | UInt64(random.high), low: random.low)
    }

    /// As many as an id has room for: 48 bits.
    private static func milliseconds(of time: Timestamp) -> UInt64 {
        UInt64(clamping: time.nanoseconds / 1_000_000) & 0xFFFF_FFFF_FFFF
    }

    /// When it was made, in milliseconds since 1970.
    package var milliseconds: UInt64 { high >> 16 }

    /// The next id after another, however the calendar was set: in the same millisecond one more, in an earlier one of the
    /// millisecond after it.
    ///
    /// - Parameter random: as above; called where it is not one more.
    package init(at time: Timestamp, random: () -> (high: UInt16, low: UInt64), after last: ULID?) {
        let milliseconds = Self.milliseconds(of: time)
        if let last, last.milliseconds == milliseconds {
            let (low, carries) = last.low.addingReportingOverflow(1)
            self.init(high: carries ? last.high &+ 1 : last.high, low: low)
            return
        }
        self.init(milliseconds: max(milliseconds, last.map { $0.milliseconds &+ 1 } ?? 0), random())
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Reads the 26 characters, upper or lower case; nil for anything else or a value beyond 128 bits.
    package init?(_ text: String) {
        let characters = Array(text.utf8)
        guard characters.count == 26 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (position, character) in characters.enumerated() {
            let upper = character >= 0x61 && character <= 0x7A ? character - 0x20 : character
            guard let value = Self.alphabet.firstIndex(of: upper) else { return nil }
            if position == 0 && value > 7 { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | UInt64(value)
        }
        self.init(high: high, low: low)
    }

    package static func < (a: ULID, b: ULID) -> Bool { a.high != b.high ? a.high < b.high : a.low < b.low }
}

extension ULID: CustomStringConvertible {
    package var description: String {
        let characters = characters
        return String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
    }

    /// The same as ASCII, without an allocation.
    package var characters: InlineArray<26, UInt8> {
        var (high, low) = (high, low)
        var characters = InlineArray<26, UInt8>(repeating: 0)
        for position in characters.indices.reversed() {
            characters[position] = Self.alphabet[Int(low & 31)]
            low = low >> 5 | high << 59
            high >>= 5
        }
        return characters
    }
}
