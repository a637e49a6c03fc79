/// A line or more of text. Keeps its string; nothing is drawn.
public nonisolated struct Text: Equatable, Sendable {
    let string: String

    /// - Parameters:
    ///   - key: the text.
    ///   - tableName: of no effect.
    ///   - bundle: of no effect.
    ///   - comment: of no effect.
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) { string = key.text }
    /// - Parameter content: the text.
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { string = String(content) }
    /// - Parameter content: the text.
    public init(verbatim content: String) { string = content }
    /// - Parameter attributedContent: the text.
    public init(_ attributedContent: AttributedString) { string = String(attributedContent.characters) }
    /// - Parameters:
    ///   - date: a date.
    ///   - style: its form.
    public init(_ date: Date, style: DateStyle) { string = style.text(of: date) }
    /// - Parameters:
    ///   - input: a value.
    ///   - format: its form.
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F) where F.FormatOutput == String {
        string = format.format(input)
    }
    /// - Parameter image: an image, which has no text.
    public init(_ image: Image) { string = "" }

    /// One text after another.
    public static func + (left: Text, right: Text) -> Text { Text(verbatim: left.string + right.string) }

    /// Forms of dates, as of when the text is made.
    public struct DateStyle: Equatable, Sendable {
        enum Form { case time, date, relative, offset, timer }
        let form: Form
        /// The time of day.
        public static let time = DateStyle(form: .time)
        /// The day.
        public static let date = DateStyle(form: .date)
        /// How far away it is: the seconds.
        public static let relative = DateStyle(form: .relative)
        /// How far away it is: the seconds.
        public static let offset = DateStyle(form: .offset)
        /// How far away it is: the seconds.
        public static let timer = DateStyle(form: .timer)

        func text(of date: Date) -> String {
            switch form {
            case .time: date.formatted(date: .omitted, time: .shortened)
            case .date: date.formatted(date: .long, time: .omitted)
            case .relative, .offset, .timer: "\(Int(date.timeIntervalSinceNow.rounded()))"
            }
        }
    }

    /// How a text is cut.
    public enum TruncationMode: Sendable {
        /// At its beginning.
        case head
        /// At its end.
        case tail
        /// In the middle.
        case middle
    }

    /// Upper or lower case.
    public enum Case: Sendable {
        /// Upper case.
        case uppercase
        /// Lower case.
        case lowercase
    }

    // MARK: The text as it is

    /// The text as it is.
    public func font(_ font: Font?) -> Text { self }
    /// The text as it is.
    public func fontWeight(_ weight: Font.Weight?) -> Text { self }
    /// The text as it is.
    public func fontDesign(_ design: Font.Design?) -> Text { self }
    /// The text as it is.
    public func bold(_ isActive: Bool = true) -> Text { self }
    /// The text as it is.
    public func italic(_ isActive: Bool = true) -> Text { self }
    /// The text as it is.
    public func monospaced(_ isActive: Bool = true) -> Text { self }
    /// The text as it is.
    public func monospacedDigit() -> Text { self }
    /// The text as it is.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    /// The text as it is.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    /// The text as it is.
    public func foregroundColor(_ color: Color?) -> Text { self }
    /// The text as it is.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { self }
    /// The text as it is.
    public func kerning(_ kerning: CGFloat) -> Text { self }
    /// The text as it is.
    public func tracking(_ tracking: CGFloat) -> Text { self }
    /// The text as it is.
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }
}

extension Text: View {
    /// None.
    public typealias Body = Never
}
