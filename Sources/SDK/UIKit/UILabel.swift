/// How text is placed.
public enum NSTextAlignment: Int, Sendable {
    /// To the left.
    case left = 0
    /// In the middle.
    case center = 1
    /// To the right.
    case right = 2
    /// To both sides.
    case justified = 3
    /// As the script is written.
    case natural = 4
}

/// A text in an interface. Stores its values.
open class UILabel: UIView {
    /// The text.
    open var text: String?
    /// Its font.
    open var font: UIFont! = UIFont.systemFont(ofSize: 17)
    /// Its colour.
    open var textColor: UIColor! = UIColor.label
    /// Its alignment.
    open var textAlignment = NSTextAlignment.natural
    /// Lines at most, 0 for any number.
    open var numberOfLines = 1
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

/// Shows an image. Stores its values.
open class UIImageView: UIView {
    /// The picture.
    open var image: UIImage?
    /// - Parameter image: the picture.
    public convenience init(image: UIImage?) {
        self.init(frame: .zero)
        self.image = image
    }
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        Screen.isMissing(for: UIImageView.self)
        super.init(frame: frame)
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
