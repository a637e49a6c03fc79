/// A control of a date. Stores its values.
open class UIDatePicker: UIControl {
    /// What is chosen.
    public enum Mode: Int, Sendable {
        /// A time of day.
        case time = 0
        /// A day.
        case date = 1
        /// Both.
        case dateAndTime = 2
        /// A time until zero.
        case countDownTimer = 3
    }
    /// The date. Setting it calls no actions.
    open var date = Date()
    /// The first date.
    open var minimumDate: Date?
    /// The last date.
    open var maximumDate: Date?
    /// What is chosen.
    open var datePickerMode = Mode.dateAndTime
    /// Minutes between two times.
    open var minuteInterval = 1
    /// Seconds of a time until zero.
    open var countDownDuration: TimeInterval = 0
    /// Sets the date; calls no actions.
    open func setDate(_ date: Date, animated: Bool) { self.date = date }
}
