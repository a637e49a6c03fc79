/// A line of a log with values whose privacy is chosen one by one.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
    /// The line; private values are in it as their placeholder.
    package let text: String

    /// - Parameter value: the line.
    public init(stringLiteral value: String) { text = value }
    /// - Parameter stringInterpolation: the line in parts.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The privacy of a value in a log.
public struct OSLogPrivacy: Sendable {
    /// The replacement of a private value.
    public enum Mask: Sendable {
        /// A number that is the same for the same value.
        case hash
        /// Nothing but a placeholder.
        case none
    }

    private enum Choice { case shown, hidden, automatic }
    private let choice: Choice
    private let mask: Mask

    /// Public.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(choice: .shown, mask: .none) }
    /// Private.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(choice: .hidden, mask: .none) }
    /// Private; also in a debugger.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(choice: .hidden, mask: .none) }
    /// Numbers are public, text and objects private.
    public static var auto: OSLogPrivacy { OSLogPrivacy(choice: .automatic, mask: .none) }
    /// Private; the mask shows which values are equal.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .hidden, mask: mask) }
    /// Private; the mask shows which values are equal.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .hidden, mask: mask) }
    /// Numbers are public, text and objects private; the mask shows which values are equal.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .automatic, mask: mask) }

    /// The text for a value in the line.
    func show(_ value: String, isNumber: Bool) -> String {
        switch choice {
        case .shown: return value
        case .automatic where isNumber: return value
        case .hidden, .automatic: break
        }
        switch mask {
        case .none: return "<private>"
        case .hash: return "<mask.hash: '\(Self.digest(value))'>"
        }
    }

    /// FNV-1a, 64 bits: the same value is the same number in every run.
    private static func digest(_ value: String) -> String {
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return String(digest, radix: 16)
    }
}
