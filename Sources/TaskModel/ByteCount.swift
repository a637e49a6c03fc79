/// A size in bytes; written `"512B"`, `"64KiB"`, `"64MiB"`, `"2GiB"` in manifests.
package struct ByteCount: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var bytes: UInt64

    package init(bytes: UInt64) { self.bytes = bytes }
    /// No limit.
    package static let unlimited = ByteCount(bytes: .max)
    package static func mebibytes(_ n: UInt64) -> ByteCount { ByteCount(bytes: n << 20) }

    private static let units: [(suffix: String, shift: UInt64)] = [("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30)]

    /// Reads a whole number followed by `B`, `KiB`, `MiB` or `GiB`; nil for anything else or on overflow.
    package init?(parsing text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text.dropFirst(digits.count)
        guard let count = UInt64(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else {
            return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: 1 << unit.shift)
        guard !overflow else { return nil }
        bytes = product
    }

    package static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }

    /// As a manifest spells it, in the largest unit that divides it.
    package var manifestText: String {
        if bytes == 0 { return "0B" }
        let unit = Self.units.last { bytes & ((1 << $0.shift) - 1) == 0 }
        return "\(bytes >> (unit?.shift ?? 0))\(unit?.suffix ?? "B")"
    }
}

extension ByteCount: CustomStringConvertible {
    /// For display: one decimal of the largest unit that fits, such as `1.5 MiB`.
    package var description: String {
        for unit in Self.units.reversed() where bytes >= 1 << unit.shift && unit.shift > 0 {
            let tenths = (bytes >> unit.shift) * 10 + ((bytes & ((1 << unit.shift) - 1)) * 10) >> unit.shift
            return tenths % 10 == 0 ? "\(tenths / 10) \(unit.suffix)" : "\(tenths / 10).\(tenths % 10) \(unit.suffix)"
        }
        return "\(bytes) B"
    }
}
