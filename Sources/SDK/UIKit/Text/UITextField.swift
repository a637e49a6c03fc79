/// Callbacks for writing in a field: none.
@preconcurrency @MainActor public protocol UITextFieldDelegate: NSObjectProtocol {
    /// Never called.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// Never called.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Never called.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// Never called.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Never called.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
    /// Never called.
    func textFieldDidChangeSelection(_ textField: UITextField)
    /// Never called.
    func textFieldShouldClear(_ textField: UITextField) -> Bool
    /// Never called.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    /// True.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    /// True.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    /// True.
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
    /// Does nothing.
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
    /// True.
    public func textFieldShouldClear(_ textField: UITextField) -> Bool { true }
    /// True.
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}

/// A line that the user writes. Stores its values.
open class UITextField: UIControl {
    /// What is around it.
    public enum BorderStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// A line.
        case line = 1
        /// A frame.
        case bezel = 2
        /// A frame with round corners.
        case roundedRect = 3
    }
    /// When something is seen in it.
    public enum ViewMode: Int, Sendable {
        /// Never.
        case never = 0
        /// While it is written.
        case whileEditing = 1
        /// While it is not written.
        case unlessEditing = 2
        /// Always.
        case always = 3
    }
    /// The text. Setting it calls no actions.
    open var text: String? = ""
    /// The text, of no attributes of its own.
    open var attributedText: NSAttributedString? {
        get { text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    /// What is seen where there is no text.
    open var placeholder: String?
    /// What is seen where there is no text, with its attributes.
    open var attributedPlaceholder: NSAttributedString?
    /// Its delegate: never called.
    open weak var delegate: (any UITextFieldDelegate)?
    /// Its font.
    open var font: UIFont? = UIFont.systemFont(ofSize: 17)
    /// Its colour.
    open var textColor: UIColor? = UIColor.label
    /// Its alignment.
    open var textAlignment = NSTextAlignment.natural
    /// What is around it.
    open var borderStyle = BorderStyle.none
    /// When the button that takes the text away is seen.
    open var clearButtonMode = ViewMode.never
    /// Whether writing begins without the old text.
    open var clearsOnBeginEditing = false
    /// Whether it would shrink to fit.
    open var adjustsFontSizeToFitWidth = false
    /// Whether its font follows the size that the user prefers.
    open var adjustsFontForContentSizeCategory = false
    /// The least size that it would shrink to.
    open var minimumFontSize: CGFloat = 0
    /// Whether it is being written: never.
    open var isEditing: Bool { false }
    /// What is on its left.
    open var leftView: UIView?
    /// When that is seen.
    open var leftViewMode = ViewMode.never
    /// What is on its right.
    open var rightView: UIView?
    /// When that is seen.
    open var rightViewMode = ViewMode.never
    /// What is in the place of the keyboard.
    open var inputView: UIView?
    /// What is above the keyboard.
    open var inputAccessoryView: UIView?
    /// The keys of the keyboard.
    open var keyboardType = UIKeyboardType.default
    /// The key that ends the line.
    open var returnKeyType = UIReturnKeyType.default
    /// Whether that key needs a text.
    open var enablesReturnKeyAutomatically = false
    /// Which letters become capitals.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// Whether words are corrected.
    open var autocorrectionType = UITextAutocorrectionType.default
    /// Whether words are checked.
    open var spellCheckingType = UITextSpellCheckingType.default
    /// Whether the text is not to be read.
    open var isSecureTextEntry = false
    /// What the text is.
    open var textContentType: UITextContentType!
    /// Whether it has a text.
    open var hasText: Bool { !(text ?? "").isEmpty }

    /// Never posted.
    public nonisolated class var textDidBeginEditingNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidBeginEditingNotification")
    }
    /// Never posted.
    public nonisolated class var textDidEndEditingNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidEndEditingNotification")
    }
    /// Never posted.
    public nonisolated class var textDidChangeNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidChangeNotification")
    }
}
