/// Parts of a date.
public struct DatePickerComponents: OptionSet, Sendable {
    /// The parts as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the parts as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The time of day.
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    /// The day.
    public static let date = DatePickerComponents(rawValue: 2)
}

/// A date. Nothing changes it.
public struct DatePicker<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
}

extension DatePicker where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - displayedComponents: the parts that are to be seen.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { label = Text(titleKey) }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - range: the dates.
    ///   - displayedComponents: the parts that are to be seen.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { label = Text(titleKey) }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - range: the dates.
    ///   - displayedComponents: the parts that are to be seen.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { label = Text(titleKey) }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - selection: the value; nothing changes it.
    ///   - range: the dates.
    ///   - displayedComponents: the parts that are to be seen.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: DatePickerComponents = [.hourAndMinute, .date]
    ) { label = Text(titleKey) }
}
