/// Loads from an untrusted file: each load is checked, and none traps.
///
/// *Ownership*: see `ELFImage`.
struct ELFBytes {
    let pages: ELFPages
    let is64Bit: Bool
    let isBigEndian: Bool

    /// Bytes of an address, an offset or a word of the dynamic section.
    var wordSize: UInt64 { is64Bit ? 8 : 4 }

    /// An integer in the file's byte order; nil when it reaches past the end.
    func integer<T: FixedWidthInteger>(_ type: T.Type, at offset: UInt64) -> T? {
        guard let value = pages.load(type, at: offset) else { return nil }
        return isBigEndian ? value.byteSwapped : value
    }

    /// A word of the file's own size.
    func word(at offset: UInt64) -> UInt64? {
        is64Bit ? integer(UInt64.self, at: offset) : integer(UInt32.self, at: offset).map(UInt64.init)
    }

    /// The text that ends with a zero byte; nil when none does within `most` bytes.
    func text(at start: UInt64, most: UInt64) -> String? {
        var text: [UInt8] = []
        for index in 0..<most {
            guard let place = Self.element(index, of: 1, from: start), let byte = integer(UInt8.self, at: place) else {
                return nil
            }
            if byte == 0 { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }

    /// The element of a table, as an offset; nil on overflow.
    static func element(_ index: UInt64, of size: UInt64, from start: UInt64) -> UInt64? {
        let (distance, tooFar) = index.multipliedReportingOverflow(by: size)
        let (offset, overflow) = start.addingReportingOverflow(distance)
        return tooFar || overflow ? nil : offset
    }
}
