/// Callbacks for writing in a text: none.
@preconcurrency @MainActor public protocol UITextViewDelegate: UIScrollViewDelegate {
    /// Never called.
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
    /// Never called.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// Never called.
    func textViewShouldEndEditing(_ textView: UITextView) -> Bool
    /// Never called.
    func textViewDidEndEditing(_ textView: UITextView)
    /// Never called.
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
    /// Never called.
    func textViewDidChange(_ textView: UITextView)
    /// Never called.
    func textViewDidChangeSelection(_ textView: UITextView)
}

extension UITextViewDelegate {
    /// True.
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }
    /// Does nothing.
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    /// True.
    public func textViewShouldEndEditing(_ textView: UITextView) -> Bool { true }
    /// Does nothing.
    public func textViewDidEndEditing(_ textView: UITextView) {}
    /// True.
    public func textView(
        _ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String
    ) -> Bool { true }
    /// Does nothing.
    public func textViewDidChange(_ textView: UITextView) {}
    /// Does nothing.
    public func textViewDidChangeSelection(_ textView: UITextView) {}
}

/// A text of many lines. Stores its values.
open class UITextView: UIScrollView {
    /// Where its text would be placed.
    public let textContainer: NSTextContainer
    /// - Parameters:
    ///   - frame: where it is.
    ///   - textContainer: where its text would be placed; nil for one of its own.
    public init(frame: CGRect, textContainer: NSTextContainer?) {
        self.textContainer = textContainer ?? NSTextContainer()
        super.init(frame: frame)
    }
    /// - Parameter frame: where it is.
    public override convenience init(frame: CGRect) { self.init(frame: frame, textContainer: nil) }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        textContainer = NSTextContainer()
        super.init(coder: coder)
    }
    /// The text. Setting it calls no delegate.
    open var text: String! = "" { didSet { attributed = nil } }
    /// The text, with its attributes. It and `text` are one.
    open var attributedText: NSAttributedString! {
        get { attributed ?? NSAttributedString(string: text ?? "") }
        set { (text, attributed) = (newValue?.string ?? "", newValue) }
    }
    private var attributed: NSAttributedString?
    /// Its delegate: never called.
    open var delegate: (any UITextViewDelegate)? {
        get { anyDelegate as? any UITextViewDelegate }
        set { anyDelegate = newValue }
    }
    /// Its font.
    open var font: UIFont?
    /// Its colour.
    open var textColor: UIColor?
    /// Its alignment.
    open var textAlignment = NSTextAlignment.natural
    /// Whether it can be written.
    open var isEditable = true
    /// Whether parts of it can be chosen.
    open var isSelectable = true
    /// The part that is chosen: UTF-16 units.
    open var selectedRange = NSRange(location: 0, length: 0)
    /// The distances around the text.
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
    /// What becomes a link in its text: not here.
    open var dataDetectorTypes: UIDataDetectorTypes = []
    /// The attributes of what is written next.
    open var typingAttributes: [NSAttributedString.Key: Any] = [:]
    /// How links are written.
    open var linkTextAttributes: [NSAttributedString.Key: Any]! = [:]
    /// Whether its font follows the size that the user prefers.
    open var adjustsFontForContentSizeCategory = false
    /// What is in the place of the keyboard.
    open var inputView: UIView?
    /// What is above the keyboard.
    open var inputAccessoryView: UIView?
    /// The keys of the keyboard.
    open var keyboardType = UIKeyboardType.default
    /// The key that ends a line.
    open var returnKeyType = UIReturnKeyType.default
    /// Which letters become capitals.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// Whether words are corrected.
    open var autocorrectionType = UITextAutocorrectionType.default
    /// Whether words are checked.
    open var spellCheckingType = UITextSpellCheckingType.default
    /// Whether the text is not to be read.
    open var isSecureTextEntry = false
    /// Whether it has a text.
    open var hasText: Bool { !(text ?? "").isEmpty }
    /// Does nothing.
    open func scrollRangeToVisible(_ range: NSRange) {}

    /// Never posted.
    public nonisolated class var textDidChangeNotification: Notification.Name {
        Notification.Name("UITextViewTextDidChangeNotification")
    }
}
