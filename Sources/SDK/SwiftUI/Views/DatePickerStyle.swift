/// A style of the kind `DatePicker`. Of no effect.
public protocol DatePickerStyle {}

/// The style `automatic`.
public struct DefaultDatePickerStyle: DatePickerStyle {
    /// Makes it.
    public init() {}
}

extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// The style `automatic`.
    public static var automatic: DefaultDatePickerStyle { DefaultDatePickerStyle() }
}

/// The style `compact`.
public struct CompactDatePickerStyle: DatePickerStyle {
    /// Makes it.
    public init() {}
}

extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// The style `compact`.
    public static var compact: CompactDatePickerStyle { CompactDatePickerStyle() }
}

/// The style `graphical`.
public struct GraphicalDatePickerStyle: DatePickerStyle {
    /// Makes it.
    public init() {}
}

extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// The style `graphical`.
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}

/// The style `wheel`.
public struct WheelDatePickerStyle: DatePickerStyle {
    /// Makes it.
    public init() {}
}

extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// The style `wheel`.
    public static var wheel: WheelDatePickerStyle { WheelDatePickerStyle() }
}
