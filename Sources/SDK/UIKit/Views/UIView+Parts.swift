extension UIView {
    /// How contents fill a view.
    public enum ContentMode: Int, Sendable {
        /// All of it, out of proportion.
        case scaleToFill = 0
        /// As much as fits, in proportion.
        case scaleAspectFit = 1
        /// All of it, in proportion and cut off.
        case scaleAspectFill = 2
        /// Painted anew.
        case redraw = 3
        /// In the middle.
        case center = 4
        /// At the upper edge.
        case top = 5
        /// At the lower edge.
        case bottom = 6
        /// At the left edge.
        case left = 7
        /// At the right edge.
        case right = 8
    }

    /// What of a frame follows the view that contains it.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The left margin.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
        /// The width.
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        /// The right margin.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
        /// The upper margin.
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
        /// The height.
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
        /// The lower margin.
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
    }

    /// Stands for a size that contents do not have.
    public class var noIntrinsicMetric: CGFloat { -1 }

    /// The window that it is in.
    public var window: UIWindow? {
        sequence(first: self, next: \.superview).lazy.compactMap { $0 as? UIWindow }.first
    }

    /// Makes another view a part of it, in front of one of its parts.
    public func insertSubview(_ view: UIView, aboveSubview other: UIView) {
        insert(view) { views in views.firstIndex { $0 === other }.map { $0 + 1 } ?? views.endIndex }
    }
    /// Makes another view a part of it, behind one of its parts.
    public func insertSubview(_ view: UIView, belowSubview other: UIView) {
        insert(view) { views in views.firstIndex { $0 === other } ?? views.endIndex }
    }
    /// Makes a part the foremost.
    public func bringSubviewToFront(_ view: UIView) { move(view) { $0.endIndex } }
    /// Makes a part the hindmost.
    public func sendSubviewToBack(_ view: UIView) { move(view) { $0.startIndex } }
    /// The first view of this number: itself, or one that it contains.
    public func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
    }
    /// True: nothing is being edited.
    @discardableResult public func endEditing(_ force: Bool) -> Bool { true }

    /// - Parameter place: where the view belongs among the parts, without itself.
    func insert(_ view: UIView, at place: ([UIView]) -> Int) {
        if view.superview === self { return move(view, to: place) }
        view.willMove(toSuperview: self)
        if let old = view.superview { view.leave(old) }
        subviews.insert(view, at: place(subviews))
        view.superview = self
        view.didMoveToSuperview()
        didAddSubview(view)
    }

    private func move(_ view: UIView, to place: ([UIView]) -> Int) {
        guard view.superview === self else { return }
        subviews.removeAll { $0 === view }
        subviews.insert(view, at: place(subviews))
    }

    func leave(_ old: UIView) {
        old.willRemoveSubview(self)
        for holder in sequence(first: old, next: \.superview) {
            for constraint in holder.heldConstraints where constraint.concerns(self) { constraint.isActive = false }
        }
        old.subviews.removeAll { $0 === self }
        superview = nil
    }
}

/// Changes over time: there is nothing to be seen, and each is made at once.
extension UIView {
    /// How a change goes on.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The view can be used meanwhile.
        public static let allowUserInteraction = AnimationOptions(rawValue: 2)
        /// From where the last change is.
        public static let beginFromCurrentState = AnimationOptions(rawValue: 4)
        /// Slowly at the beginning and the end.
        public static let curveEaseInOut: AnimationOptions = []
        /// Slowly at the beginning.
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        /// Slowly at the end.
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        /// The old fades into the new.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
    }
    /// Makes the changes at once, whatever the time is, and is done with true.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval = 0, options: AnimationOptions = [],
        animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        completion?(true)
    }
    /// Makes the changes at once.
    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) { actionsWithoutAnimation() }
}
