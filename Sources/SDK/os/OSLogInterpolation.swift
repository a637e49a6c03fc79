/// The parts of a line of a log.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// - Parameters:
    ///   - literalCapacity: bytes of the literal parts.
    ///   - interpolationCount: number of values.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Adds a part that is not a value.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    private mutating func append(
        _ value: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, isNumber: Bool = false
    ) {
        text += align.aligned(privacy.show(value, isNumber: isNumber))
    }

    /// Adds text; private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value(), align, privacy)
    }

    /// Adds text that is part of another text; private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Substring, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(String(value()), align, privacy)
    }

    /// Adds a whole number.
    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ value: @autoclosure () -> Number, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(format.formatted(value()), align, privacy, isNumber: true)
    }

    /// Adds a number.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.formatted(value()), align, privacy, isNumber: true)
    }

    /// Adds a number.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.formatted(Double(value())), align, privacy, isNumber: true)
    }

    /// Adds a truth value.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let value = value()
        append(format == .truth ? "\(value)" : value ? "YES" : "NO", .none, privacy, isNumber: true)
    }

    /// Adds an error; private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> any Error, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append("\(value())", align, privacy)
    }

    /// Adds an error by its description; private unless `privacy` says otherwise. `NSError` is both error and object.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> NSError, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, align, privacy)
    }

    /// Adds a value by its description; private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, align, privacy)
    }

    /// Adds an object by its description; private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> NSObject, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, align, privacy)
    }

    /// Adds an object by its description; private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> NSObject?, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(value().map { $0.description } ?? "(null)", align, privacy)
    }

    /// Adds a type by its name; public unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append("\(value())", align, privacy, isNumber: true)
    }
}
