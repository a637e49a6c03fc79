/// Callbacks for scrolling: none.
@preconcurrency @MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
    /// Never called.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    /// Never called.
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    /// Never called.
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    /// Never called.
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    /// Never called.
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    /// Never called.
    func viewForZooming(in scrollView: UIScrollView) -> UIView?
}

extension UIScrollViewDelegate {
    /// Does nothing.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    /// Does nothing.
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    /// Does nothing.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    /// None.
    public func viewForZooming(in scrollView: UIScrollView) -> UIView? { nil }
}

/// A view of which a part is seen. Stores its values.
open class UIScrollView: UIView {
    /// When the system adds to the distances of the contents.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        /// As it likes.
        case automatic = 0
        /// Where it can be scrolled.
        case scrollableAxes = 1
        /// Never.
        case never = 2
        /// Always.
        case always = 3
    }
    /// When the keyboard goes away.
    public enum KeyboardDismissMode: Int, Sendable {
        /// Not by scrolling.
        case none = 0
        /// When scrolling begins.
        case onDrag = 1
        /// With the finger.
        case interactive = 2
    }
    /// The size of all of it.
    open var contentSize = CGSize.zero
    /// Where the part begins that is seen.
    open var contentOffset = CGPoint.zero
    /// The distances around the contents.
    open var contentInset = UIEdgeInsets.zero
    /// The same: the system adds nothing.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    /// When the system adds to the distances.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    /// The distances around the bars that show the place.
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    /// The distances around the bar on the right.
    open var verticalScrollIndicatorInsets = UIEdgeInsets.zero
    /// Whether there is a bar on the right.
    open var showsVerticalScrollIndicator = true
    /// Whether there is a bar below.
    open var showsHorizontalScrollIndicator = true
    /// Whether it can be scrolled.
    open var isScrollEnabled = true
    /// Whether it stops at whole pages.
    open var isPagingEnabled = false
    /// Whether it springs back at its edges.
    open var bounces = true
    /// Whether it springs back up and down, however small it is.
    open var alwaysBounceVertical = false
    /// Whether it springs back sideways, however small it is.
    open var alwaysBounceHorizontal = false
    /// How much larger contents are.
    open var zoomScale: CGFloat = 1
    /// How small contents can become.
    open var minimumZoomScale: CGFloat = 1
    /// How large contents can become.
    open var maximumZoomScale: CGFloat = 1
    /// When the keyboard goes away.
    open var keyboardDismissMode = KeyboardDismissMode.none
    /// The control that asks for new contents.
    open var refreshControl: UIRefreshControl?
    /// Whether a finger is on it: never.
    open var isTracking: Bool { false }
    /// Whether a finger moves it: never.
    open var isDragging: Bool { false }
    /// What constraints of the contents are made from.
    public private(set) lazy var contentLayoutGuide = UILayoutGuide(of: self, "UIScrollViewContentLayoutGuide")
    /// What constraints of the part that is seen are made from.
    public private(set) lazy var frameLayoutGuide = UILayoutGuide(of: self, "UIScrollViewFrameLayoutGuide")
    /// The delegate, of the type that the subclass has it in.
    weak var anyDelegate: (any UIScrollViewDelegate)?

    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        Screen.isMissing(for: type(of: self))
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    /// Keeps the place.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { self.contentOffset = contentOffset }
    /// Does nothing.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {}
    /// Keeps the scale.
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoomScale = scale }
    /// Does nothing.
    open func flashScrollIndicators() {}
}

/// The delegate of a view that scrolls. Subclasses have one of their own type under the same name, which no class of
/// Swift could have over a member of its superclass; that is why it is a member of a protocol.
@MainActor extension NSObjectProtocol where Self: UIScrollView {
    /// The delegate: never called.
    public var delegate: (any UIScrollViewDelegate)? {
        get { anyDelegate }
        set { anyDelegate = newValue }
    }
}
