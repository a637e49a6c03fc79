/// A length of time in whole nanoseconds; written `"500ms"`, `"30s"`, `"5m"`, `"2h"`, `"7d"` in manifests.
package struct TimeSpan: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    package static func milliseconds(_ n: Int64) -> TimeSpan { TimeSpan(nanoseconds: n * 1_000_000) }
    package static func seconds(_ n: Int64) -> TimeSpan { TimeSpan(nanoseconds: n * 1_000_000_000) }
    package static func minutes(_ n: Int64) -> TimeSpan { .seconds(n * 60) }
    package static let zero = TimeSpan(nanoseconds: 0)
    /// No end: longer than any machine runs. Added to an instant it gives one that never comes.
    package static let unlimited = TimeSpan(nanoseconds: .max)

    /// The span in seconds, as JSON documents carry it.
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    private static let units: [(suffix: String, nanoseconds: Int64)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ]

    /// Reads a whole number followed by `ms`, `s`, `m`, `h` or `d`; nil for anything else or on overflow.
    package init?(parsing text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text.dropFirst(digits.count)
        guard let count = Int64(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        nanoseconds = product
    }

    package static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.nanoseconds < b.nanoseconds }
    /// Saturates.
    package static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.addingWithSaturation(b.nanoseconds))
    }
    /// Saturates.
    package static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.subtractingWithSaturation(b.nanoseconds))
    }
}

extension TimeSpan: CustomStringConvertible {
    /// For display: the two largest units, such as `1.25 s` or `3 m 20 s`; `-3 m 20 s` is negative.
    package var description: String { (nanoseconds < 0 ? "-" : "") + Self.figures(nanoseconds.magnitude) }

    private static func figures(_ absolute: UInt64) -> String {
        switch absolute {
        case 0: return "0 s"
        case ..<1_000_000: return decimal(absolute, per: 1_000) + " us"
        case ..<1_000_000_000: return decimal(absolute, per: 1_000_000) + " ms"
        case ..<60_000_000_000: return decimal(absolute, per: 1_000_000_000) + " s"
        case ..<3_600_000_000_000: return pair(absolute / 1_000_000_000, 60, "m", "s")
        case ..<86_400_000_000_000: return pair(absolute / 60_000_000_000, 60, "h", "m")
        default: return pair(absolute / 3_600_000_000_000, 24, "d", "h")
        }
    }

    /// Up to three significant figures of `value / unit`.
    private static func decimal(_ value: UInt64, per unit: UInt64) -> String {
        let whole = value / unit
        let hundredths = (value % unit) * 100 / unit
        if whole >= 100 || hundredths == 0 { return "\(whole)" }
        if whole >= 10 || hundredths % 10 == 0 { return "\(whole).\(hundredths / 10)" }
        return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }

    private static func pair(_ value: UInt64, _ base: UInt64, _ large: String, _ small: String) -> String {
        let rest = value % base
        return rest == 0 ? "\(value / base) \(large)" : "\(value / base) \(large) \(rest) \(small)"
    }
}
