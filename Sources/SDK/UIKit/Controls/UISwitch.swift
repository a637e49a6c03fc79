/// A control that is on or off. Stores its values.
open class UISwitch: UIControl {
    /// How it looks.
    public enum Style: Int, Sendable {
        /// As the system likes.
        case automatic = 0
        /// A box with a mark.
        case checkbox = 1
        /// A switch.
        case sliding = 2
    }
    /// Whether it is on. Setting it calls no actions.
    open var isOn = false
    /// Its colour when it is on.
    open var onTintColor: UIColor?
    /// The colour of what moves.
    open var thumbTintColor: UIColor?
    /// Its title, where there is one.
    open var title: String?
    /// How it is asked to look.
    open var preferredStyle = Style.automatic
    /// Sets whether it is on; calls no actions.
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }
}
