/// Shows how much of something is done. Stores its values.
open class UIProgressView: UIView {
    /// How it looks.
    public enum Style: Int, Sendable {
        /// Usual.
        case `default` = 0
        /// In a bar.
        case bar = 1
    }
    private var stored: Float = 0
    /// How much is done, 0 to 1.
    open var progress: Float {
        get { observedProgress.map { Float($0.fractionCompleted) } ?? stored }
        set { stored = max(0, min(newValue, 1)) }
    }
    /// What `progress` is of, when it is set.
    open var observedProgress: Progress?
    /// How it looks.
    open var progressViewStyle = Style.default
    /// The colour of what is done.
    open var progressTintColor: UIColor?
    /// The colour of what is not done.
    open var trackTintColor: UIColor?
    /// - Parameter style: how it looks.
    public convenience init(progressViewStyle style: Style) {
        self.init(frame: .zero)
        progressViewStyle = style
    }
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        Screen.isMissing(for: type(of: self))
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    /// Sets how much is done.
    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}
