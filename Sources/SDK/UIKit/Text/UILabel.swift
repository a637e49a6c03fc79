/// A text in an interface. Stores its values.
open class UILabel: UIView {
    /// The text.
    open var text: String? { didSet { attributed = nil } }
    /// Its font.
    open var font: UIFont! = UIFont.systemFont(ofSize: 17)
    /// Its colour.
    open var textColor: UIColor! = UIColor.label
    /// Its alignment.
    open var textAlignment = NSTextAlignment.natural
    /// Lines at most, 0 for any number.
    open var numberOfLines = 1
    /// The text, with its attributes. It and `text` are one.
    open var attributedText: NSAttributedString? {
        get { attributed ?? text.map { NSAttributedString(string: $0) } }
        set { (text, attributed) = (newValue?.string, newValue) }
    }
    private var attributed: NSAttributedString?
    /// How lines are broken.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    /// The least part of the font's size that it would shrink to.
    open var minimumScaleFactor: CGFloat = 0
    /// Whether its font follows the size that the user prefers.
    open var adjustsFontForContentSizeCategory = false
    /// Whether it can be used.
    open var isEnabled = true
    /// Its colour when it is chosen.
    open var highlightedTextColor: UIColor?
    /// Whether it would shrink to fit.
    open var adjustsFontSizeToFitWidth = false
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        Screen.isMissing(for: UILabel.self)
        super.init(frame: frame)
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
