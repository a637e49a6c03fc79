/// A control that counts up and down within limits. Stores its values.
open class UIStepper: UIControl {
    private var stored: Double = 0
    /// The number, within the limits. Setting it calls no actions.
    open var value: Double {
        get { stored }
        set { stored = max(minimumValue, min(newValue, maximumValue)) }
    }
    /// The least number.
    open var minimumValue: Double = 0 {
        didSet {
            maximumValue = max(minimumValue, maximumValue)
            value = stored
        }
    }
    /// The greatest number.
    open var maximumValue: Double = 100 {
        didSet {
            if minimumValue > maximumValue { minimumValue = maximumValue }
            value = stored
        }
    }
    /// What one step adds.
    open var stepValue: Double = 1
    /// Whether the greatest number is followed by the least.
    open var wraps = false
    /// Whether it goes on while a finger is on it.
    open var autorepeat = true
    /// Whether actions are called while it goes on.
    open var isContinuous = true
}
