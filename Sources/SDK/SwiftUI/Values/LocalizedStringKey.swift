/// A text that is looked up in the application's tables of strings. There are none: it stands for itself.
public struct LocalizedStringKey: Equatable, Sendable, ExpressibleByStringInterpolation {
    let text: String
    /// - Parameter value: the text.
    public init(_ value: String) { text = value }
    /// - Parameter value: the text.
    public init(stringLiteral value: String) { text = value }
    /// - Parameter stringInterpolation: the text's parts.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// The parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Adds a text.
        public mutating func appendLiteral(_ literal: String) { text += literal }
        /// Adds a value's description.
        public mutating func appendInterpolation<T>(_ value: T) { text += "\(value)" }
        /// Adds the string of a text.
        public mutating func appendInterpolation(_ text: Text) { self.text += text.string }
        /// Adds the string of an image: nothing.
        public mutating func appendInterpolation(_ image: Image) {}
        /// Adds a number in C's format.
        public mutating func appendInterpolation<T: CVarArg>(_ value: T, specifier: String) {
            text += String(format: specifier, value)
        }
        /// Adds a value in a format.
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatOutput == String { text += format.format(input) }
        /// Adds a date.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            text += style.text(of: date)
        }
    }
}
