/// A piece of an interface.
@preconcurrency @MainActor open class UIView: NSObject {
    /// Where it is, in the view that contains it.
    open var frame: CGRect
    /// Where its own parts are. Setting its size sets that of the frame.
    open var bounds: CGRect {
        get { CGRect(origin: boundsOrigin, size: frame.size) }
        set { (boundsOrigin, frame.size) = (newValue.origin, newValue.size) }
    }
    private var boundsOrigin = CGPoint.zero
    /// The middle of its frame.
    open var center: CGPoint {
        get { CGPoint(x: frame.origin.x + frame.size.width / 2, y: frame.origin.y + frame.size.height / 2) }
        set {
            frame.origin = CGPoint(x: newValue.x - frame.size.width / 2, y: newValue.y - frame.size.height / 2)
        }
    }
    /// Whether it is not to be seen.
    open var isHidden = false
    /// Its opacity, 0 to 1.
    open var alpha: CGFloat = 1
    /// Kept.
    open var isOpaque = true
    /// Whether its parts end at its edges.
    open var clipsToBounds = false
    /// How its contents fill it.
    open var contentMode = ContentMode.scaleToFill
    /// The color of its background.
    open var backgroundColor: UIColor?
    /// The colour of what can be used.
    open var tintColor: UIColor! = UIColor.tintColor
    /// A number of the application's own.
    open var tag = 0
    /// Whether it can be used.
    open var isUserInteractionEnabled = true
    /// Whether it takes touches by several fingers.
    open var isMultipleTouchEnabled = false
    /// Whether its frame makes constraints.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// How its frame follows that of the view that contains it.
    open var autoresizingMask: AutoresizingMask = []
    /// Its parts, the hindmost first.
    open internal(set) var subviews: [UIView] = []
    /// The view that contains it.
    open internal(set) weak var superview: UIView?
    /// Its guides.
    open internal(set) var layoutGuides: [UILayoutGuide] = []
    /// The part of it that nothing covers: all.
    public private(set) lazy var safeAreaLayoutGuide = UILayoutGuide(of: self, "UIViewSafeAreaLayoutGuide")
    /// The part of it within its margins.
    public private(set) lazy var layoutMarginsGuide = UILayoutGuide(of: self, "UIViewLayoutMarginsGuide")
    /// The part of it that is as wide as lines should be.
    public private(set) lazy var readableContentGuide = UILayoutGuide(of: self, "UIViewReadableContentGuide")
    /// What covers its edges: nothing.
    open var safeAreaInsets: UIEdgeInsets { .zero }
    /// Its margins.
    open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
    /// Its margins, by the direction of writing.
    open var directionalLayoutMargins = NSDirectionalEdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
    /// Whether it keeps to the margins of the view that contains it.
    open var preservesSuperviewLayoutMargins = false
    /// Kept; there is nothing to be seen.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// The circumstances of its interface: unspecified.
    open var traitCollection: UITraitCollection { .none }
    /// Kept.
    open var accessibilityIdentifier: String?
    /// Kept.
    open var accessibilityLabel: String?
    /// Kept.
    open var accessibilityHint: String?
    /// Kept.
    open var accessibilityValue: String?
    /// Kept.
    open var isAccessibilityElement = false
    /// What watches fingers on it: none come.
    open var gestureRecognizers: [UIGestureRecognizer]?
    var heldConstraints: [NSLayoutConstraint] = []
    var huggingPriorities: [NSLayoutConstraint.Axis: UILayoutPriority] = [:]
    var resistancePriorities: [NSLayoutConstraint.Axis: UILayoutPriority] = [:]

    /// Makes a view of no size.
    public override convenience init() { self.init(frame: .zero) }
    /// - Parameter frame: where it is.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// Makes another view a part of it, the foremost.
    open func addSubview(_ view: UIView) { insert(view) { $0.endIndex } }
    /// Makes another view a part of it, at a place of `subviews`.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view) { min(max(0, index), $0.count) } }
    /// Makes it a part of nothing. The constraints between it and what contained it are over.
    open func removeFromSuperview() {
        guard let old = superview else { return }
        willMove(toSuperview: nil)
        leave(old)
        didMoveToSuperview()
    }
    /// Called before a view contains it, or none (nil).
    open func willMove(toSuperview newSuperview: UIView?) {}
    /// Called after another view contains it, or none.
    open func didMoveToSuperview() {}
    /// Called on iOS after it came into a window, or left one.
    open func didMoveToWindow() {}
    /// Called after a part was added.
    open func didAddSubview(_ subview: UIView) {}
    /// Called before a part is removed.
    open func willRemoveSubview(_ subview: UIView) {}
    /// Whether another view contains it, or it is that view.
    open func isDescendant(of view: UIView) -> Bool {
        sequence(first: self, next: \.superview).contains { $0 === view }
    }

    /// Called on iOS to place its parts.
    open func layoutSubviews() {}
    /// Called on iOS to set its constraints.
    open func updateConstraints() {}
    /// Called on iOS to paint it.
    open func draw(_ rect: CGRect) {}
    /// Called on iOS when the circumstances of its interface change.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Called on iOS when the colour of what can be used changes.
    open func tintColorDidChange() {}
    /// Does nothing.
    open func setNeedsLayout() {}
    /// Does nothing.
    open func layoutIfNeeded() {}
    /// Does nothing.
    open func setNeedsDisplay() {}
    /// Does nothing.
    open func setNeedsUpdateConstraints() {}
    /// Does nothing.
    open func updateConstraintsIfNeeded() {}
    /// Does nothing.
    open func invalidateIntrinsicContentSize() {}
    /// Does nothing: nothing measures contents.
    open func sizeToFit() {}
    /// The size that it has: nothing measures contents.
    open func sizeThatFits(_ size: CGSize) -> CGSize { frame.size }
    /// The size that its contents need: unknown, `noIntrinsicMetric`, because nothing measures them.
    open var intrinsicContentSize: CGSize { CGSize(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric) }
    /// Whether keys could go to it: not unless a subclass says so.
    open var canBecomeFirstResponder: Bool { false }
    /// Whether keys go to it: there are none.
    open var isFirstResponder: Bool { false }
    /// False: there are no keys.
    @discardableResult open func becomeFirstResponder() -> Bool { false }
    /// True: no keys go to it.
    @discardableResult open func resignFirstResponder() -> Bool { true }
}
