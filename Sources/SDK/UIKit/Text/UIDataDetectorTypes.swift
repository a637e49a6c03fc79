/// What becomes a link in a text: not here.
public struct UIDataDetectorTypes: OptionSet, Sendable {
    /// The types as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the types as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Telephone numbers.
    public static let phoneNumber = UIDataDetectorTypes(rawValue: 1)
    /// Addresses of pages.
    public static let link = UIDataDetectorTypes(rawValue: 2)
    /// Postal addresses.
    public static let address = UIDataDetectorTypes(rawValue: 4)
    /// Dates.
    public static let calendarEvent = UIDataDetectorTypes(rawValue: 8)
    /// All.
    public static let all = UIDataDetectorTypes(rawValue: .max)
}
