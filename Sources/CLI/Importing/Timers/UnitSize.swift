/// A size as units have it (systemd.resource-control(5)): `1500`, `512M`, `1.5G`.
enum UnitSize {
    private static let units: [Character: Double] = [
        "B": 1, "K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40, "P": 0x1p50, "E": 0x1p60,
    ]

    /// nil: it is no size, as a part of the machine's memory (`50%`) is none.
    static func bytes(_ text: String) -> UInt64? {
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ $0.isNumber || $0 == "." }), let number = Double(digits) else { return nil }
        let bytes = number * (unit ?? 1)
        return bytes < 0x1p63 ? UInt64(bytes) : nil
    }
}
