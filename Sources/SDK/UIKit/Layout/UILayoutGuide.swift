/// A rectangle that constraints can be about and that is not seen. It has no size of its own here.
@preconcurrency @MainActor open class UILayoutGuide: NSObject {
    /// The view that it is part of.
    open internal(set) weak var owningView: UIView?
    /// Its name, for those who look for faults.
    open var identifier = ""
    /// The rectangle of the view that it is part of: nothing computes a smaller one.
    open var layoutFrame: CGRect { owningView?.bounds ?? .zero }
    /// Makes a guide that is part of no view.
    public override init() { super.init() }
    init(of view: UIView, _ identifier: String) {
        super.init()
        (owningView, self.identifier) = (view, identifier)
    }
}

/// What constraints of a guide are made from.
extension UILayoutGuide {
    /// Where lines begin.
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    /// Where lines end.
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    /// The left edge.
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .left) }
    /// The right edge.
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .right) }
    /// The upper edge.
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    /// The lower edge.
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    /// The middle, from left to right.
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .centerX) }
    /// The middle, from top to bottom.
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .centerY) }
    /// The width.
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    /// The height.
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
}
