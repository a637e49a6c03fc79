/// A control of a number within limits. Stores its values.
open class UISlider: UIControl {
    private var stored: Float = 0
    /// The number, within the limits. Setting it calls no actions.
    open var value: Float {
        get { stored }
        set { stored = max(minimumValue, min(newValue, maximumValue)) }
    }
    /// The least number.
    open var minimumValue: Float = 0 {
        didSet {
            maximumValue = max(minimumValue, maximumValue)
            value = stored
        }
    }
    /// The greatest number.
    open var maximumValue: Float = 1 {
        didSet {
            if minimumValue > maximumValue { minimumValue = maximumValue }
            value = stored
        }
    }
    /// Whether actions are called while it moves.
    open var isContinuous = true
    /// The colour of the part below the number.
    open var minimumTrackTintColor: UIColor?
    /// The colour of the part above the number.
    open var maximumTrackTintColor: UIColor?
    /// The colour of what moves.
    open var thumbTintColor: UIColor?
    /// The picture beside the least number.
    open var minimumValueImage: UIImage?
    /// The picture beside the greatest number.
    open var maximumValueImage: UIImage?
    /// Sets the number; calls no actions.
    open func setValue(_ value: Float, animated: Bool) { self.value = value }
}
