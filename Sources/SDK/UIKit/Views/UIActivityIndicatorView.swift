/// Shows that something goes on. Stores its values.
open class UIActivityIndicatorView: UIView {
    /// How it looks.
    public enum Style: Int, Sendable {
        /// Usual.
        case medium = 100
        /// Large.
        case large = 101
    }
    /// How it looks.
    open var style = Style.medium
    /// Its colour.
    open var color: UIColor! = UIColor.gray
    /// Whether it is hidden while nothing goes on.
    open var hidesWhenStopped = true { didSet { if hidesWhenStopped { isHidden = !isAnimating } } }
    /// Whether something goes on, as the application says.
    open private(set) var isAnimating = false
    /// - Parameter style: how it looks.
    public convenience init(style: Style) {
        self.init(frame: .zero)
        self.style = style
    }
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
        Screen.isMissing(for: type(of: self))
    }
    /// - Parameter coder: of no effect.
    public required init(coder: NSCoder) { super.init(coder: coder)! }
    /// Something goes on.
    open func startAnimating() { set(true) }
    /// Nothing goes on.
    open func stopAnimating() { set(false) }

    private func set(_ isAnimating: Bool) {
        self.isAnimating = isAnimating
        if hidesWhenStopped { isHidden = !isAnimating }
    }
}
