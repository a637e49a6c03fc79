/// The base of objects that UIKit makes, such as application delegates. Views and their controllers are none here: the
/// framework makes responders by an initializer that each subclass has to have, and views and controllers often have
/// their own.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Makes a responder.
    public override init() { super.init() }

    /// The next responder: none, there is nothing to respond to.
    open var next: UIResponder? { nil }
    /// Whether keys could go to it: not unless a subclass says so.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether keys go to it: there are none.
    open var isFirstResponder: Bool { false }
    /// False: there are no keys.
    @discardableResult open func becomeFirstResponder() -> Bool { false }
    /// True: no keys go to it.
    @discardableResult open func resignFirstResponder() -> Bool { true }
    /// Called on iOS to build the menus. A worker has none.
    open func buildMenu(with builder: any UIMenuBuilder) {}

    /// The framework creates application and scene delegates with it. Convenience and required: it calls the subclass's
    /// own `init()`, overridden or not.
    public required convenience init(_uikitLaunch: Void) { self.init() }
}

/// The keyboard of the screen. There is none, and none of these are posted.
extension UIResponder {
    private nonisolated static func name(_ event: String) -> Notification.Name {
        Notification.Name("UIKeyboard\(event)Notification")
    }
    /// Never posted.
    public nonisolated class var keyboardWillShowNotification: Notification.Name { name("WillShow") }
    /// Never posted.
    public nonisolated class var keyboardDidShowNotification: Notification.Name { name("DidShow") }
    /// Never posted.
    public nonisolated class var keyboardWillHideNotification: Notification.Name { name("WillHide") }
    /// Never posted.
    public nonisolated class var keyboardDidHideNotification: Notification.Name { name("DidHide") }
    /// Never posted.
    public nonisolated class var keyboardWillChangeFrameNotification: Notification.Name { name("WillChangeFrame") }
    /// Never posted.
    public nonisolated class var keyboardDidChangeFrameNotification: Notification.Name { name("DidChangeFrame") }
    /// The key of where the keyboard was.
    public nonisolated class var keyboardFrameBeginUserInfoKey: String { "UIKeyboardFrameBeginUserInfoKey" }
    /// The key of where the keyboard will be.
    public nonisolated class var keyboardFrameEndUserInfoKey: String { "UIKeyboardFrameEndUserInfoKey" }
    /// The key of the seconds until then.
    public nonisolated class var keyboardAnimationDurationUserInfoKey: String {
        "UIKeyboardAnimationDurationUserInfoKey"
    }
    /// The key of how it moves.
    public nonisolated class var keyboardAnimationCurveUserInfoKey: String { "UIKeyboardAnimationCurveUserInfoKey" }
    /// The key of whether it is the keyboard of this application.
    public nonisolated class var keyboardIsLocalUserInfoKey: String { "UIKeyboardIsLocalUserInfoKey" }
}
