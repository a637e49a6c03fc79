/// A row or a column of views. Their order is kept, and nothing places them.
open class UIStackView: UIView {
    /// How the views share the room along the axis.
    public enum Distribution: Int, Sendable {
        /// They fill it.
        case fill = 0
        /// They fill it, each as large as the others.
        case fillEqually = 1
        /// They fill it, each by its own size.
        case fillProportionally = 2
        /// With the same room between them.
        case equalSpacing = 3
        /// With their middles equally far apart.
        case equalCentering = 4
    }
    /// Where the views are across the axis.
    public enum Alignment: Int, Sendable {
        /// They fill the room.
        case fill = 0
        /// Where lines begin.
        case leading = 1
        /// On one line of text, their first.
        case firstBaseline = 2
        /// In the middle.
        case center = 3
        /// Where lines end.
        case trailing = 4
        /// On one line of text, their last.
        case lastBaseline = 5
        /// At the upper edge.
        public static let top = Alignment.leading
        /// At the lower edge.
        public static let bottom = Alignment.trailing
    }
    /// Stands for the distance of the whole stack.
    public class var spacingUseDefault: CGFloat { .greatestFiniteMagnitude }
    /// Stands for the system's distance.
    public class var spacingUseSystem: CGFloat { 1.1754943508222875e-38 }

    /// The views in their order: each is also one of `subviews`.
    open private(set) var arrangedSubviews: [UIView] = []
    /// Whether it is a row or a column.
    open var axis = NSLayoutConstraint.Axis.horizontal
    /// How the views share the room along the axis.
    open var distribution = Distribution.fill
    /// Where the views are across the axis.
    open var alignment = Alignment.fill
    /// Points between the views.
    open var spacing: CGFloat = 0
    /// Whether distances are from lines of text.
    open var isBaselineRelativeArrangement = false
    /// Whether the margins count.
    open var isLayoutMarginsRelativeArrangement = false
    private var spacings: [ObjectIdentifier: CGFloat] = [:]

    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        Screen.isMissing(for: type(of: self))
    }
    /// - Parameter views: the views in their order.
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }
    /// - Parameter coder: of no effect.
    public required init(coder: NSCoder) {
        super.init(coder: coder)!
    }

    /// Makes a view the last in the order, and a part of the stack.
    open func addArrangedSubview(_ view: UIView) {
        if view.superview !== self { addSubview(view) }
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.append(view)
    }
    /// Makes a view one of the order, and a part of the stack. One that is there already gets the new place.
    /// - Parameter stackIndex: its place, at most the number of the others.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        if view.superview !== self { addSubview(view) }
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: stackIndex)
    }
    /// Takes a view out of the order; it stays a part of the stack.
    open func removeArrangedSubview(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        spacings[ObjectIdentifier(view)] = nil
    }
    /// A part that is removed is no longer in the order.
    open override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        removeArrangedSubview(subview)
    }
    /// Sets the points after a view of the order.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        guard arrangedSubviews.contains(where: { $0 === arrangedSubview }) else { return }
        spacings[ObjectIdentifier(arrangedSubview)] = spacing == Self.spacingUseDefault ? nil : spacing
    }
    /// The points after a view; `spacingUseDefault` when none were set.
    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        spacings[ObjectIdentifier(arrangedSubview)] ?? Self.spacingUseDefault
    }
}
