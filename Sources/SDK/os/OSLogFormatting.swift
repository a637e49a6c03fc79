/// The width of a value, and its alignment.
public struct OSLogStringAlignment: Sendable {
    private enum Side { case none, left, right }
    private let side: Side
    private let columns: Int

    /// As wide as the value.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(side: .none, columns: 0) }
    /// At least this many columns, the value on the right.
    public static func right(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .right, columns: columns())
    }
    /// At least this many columns, the value on the left.
    public static func left(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .left, columns: columns())
    }

    func aligned(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        switch side {
        case .none: return text
        case .left: return text + padding
        case .right: return padding + text
        }
    }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let isUppercase: Bool
    private let prefix: String
    private let minimumDigits: Int
    private let showsSign: Bool

    private init(
        radix: Int, isUppercase: Bool = false, prefix: String = "", minimumDigits: Int = 0, showsSign: Bool = false
    ) {
        self.radix = radix
        self.isUppercase = isUppercase
        self.prefix = prefix
        self.minimumDigits = minimumDigits
        self.showsSign = showsSign
    }

    /// In decimal.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 10) }
    /// In hexadecimal.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// In octal.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    /// In decimal.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure @escaping () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, minimumDigits: minDigits(), showsSign: explicitPositiveSign)
    }
    /// In hexadecimal.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure @escaping () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, prefix: includePrefix ? "0x" : "", minimumDigits: minDigits(),
            showsSign: explicitPositiveSign)
    }
    /// In octal.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure @escaping () -> Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 8, isUppercase: uppercase, prefix: includePrefix ? "0" : "", minimumDigits: minDigits(),
            showsSign: explicitPositiveSign)
    }

    func formatted<Number: FixedWidthInteger>(_ value: Number) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
        let sign = value < 0 ? "-" : showsSign ? "+" : ""
        return sign + prefix + zeros + digits
    }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
    private let format: String

    private init(_ letter: String, precision: Int? = nil, showsSign: Bool = false, isUppercase: Bool = false) {
        let digits = precision.map { ".\(max(0, $0))" } ?? ""
        format = "%\(showsSign ? "+" : "")\(digits)\(isUppercase ? letter.uppercased() : letter)"
    }

    /// With six digits after the point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting("f") }
    /// With this many digits after the point.
    public static func fixed(
        precision: @autoclosure @escaping () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            "f", precision: precision(), showsSign: explicitPositiveSign, isUppercase: uppercase)
    }
    /// With an exponent.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting("e") }
    /// With an exponent, and this many digits after the point.
    public static func exponential(
        precision: @autoclosure @escaping () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            "e", precision: precision(), showsSign: explicitPositiveSign, isUppercase: uppercase)
    }
    /// With an exponent when that is shorter.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting("g") }
    /// With an exponent when that is shorter, and this many significant digits.
    public static func hybrid(
        precision: @autoclosure @escaping () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(
            "g", precision: precision(), showsSign: explicitPositiveSign, isUppercase: uppercase)
    }
    /// In hexadecimal.
    public static var hex: OSLogFloatFormatting { OSLogFloatFormatting("a") }
    /// In hexadecimal.
    public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting("a", showsSign: explicitPositiveSign, isUppercase: uppercase)
    }

    func formatted(_ value: Double) -> String { String(format: format, value) }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Sendable {
    /// true or false
    case truth
    /// YES or NO
    case answer
}
