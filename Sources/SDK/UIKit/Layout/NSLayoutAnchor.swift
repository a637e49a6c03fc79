/// A part of a view or a guide that constraints are made from.
@preconcurrency @MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    /// The view or guide.
    public let item: AnyObject?
    /// Its name, for those who look for faults.
    open var name: String { "\(attribute)" }
    let attribute: NSLayoutConstraint.Attribute

    init(_ item: AnyObject, _ attribute: NSLayoutConstraint.Attribute) {
        self.item = item
        self.attribute = attribute
        super.init()
    }

    func constraint(
        _ relation: NSLayoutConstraint.Relation, _ anchor: NSLayoutAnchor<AnchorType>?, times multiplier: CGFloat = 1,
        plus constant: CGFloat
    ) -> NSLayoutConstraint {
        NSLayoutConstraint(
            item: item as Any, attribute: attribute, relatedBy: relation, toItem: anchor?.item,
            attribute: anchor?.attribute ?? .notAnAttribute, multiplier: multiplier, constant: constant)
    }

    /// An inactive constraint: this equals the other.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(.equal, anchor, plus: 0)
    }
    /// An inactive constraint: this equals the other, plus a distance in points.
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat) -> NSLayoutConstraint {
        constraint(.equal, anchor, plus: constant)
    }
    /// An inactive constraint: this is at least the other.
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(.greaterThanOrEqual, anchor, plus: 0)
    }
    /// An inactive constraint: this is at least the other, plus a distance in points.
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat
    ) -> NSLayoutConstraint { constraint(.greaterThanOrEqual, anchor, plus: constant) }
    /// An inactive constraint: this is at most the other.
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        constraint(.lessThanOrEqual, anchor, plus: 0)
    }
    /// An inactive constraint: this is at most the other, plus a distance in points.
    open func constraint(
        lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant: CGFloat
    ) -> NSLayoutConstraint { constraint(.lessThanOrEqual, anchor, plus: constant) }
}

/// What iOS leaves between neighbours, in points.
private let systemSpacing: CGFloat = 8

/// A place from left to right.
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {
    /// An inactive constraint: this is the other plus 8 points, times the multiplier.
    open func constraint(
        equalToSystemSpacingAfter anchor: NSLayoutXAxisAnchor, multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(.equal, anchor, plus: systemSpacing * multiplier) }
}

/// A place from top to bottom.
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {
    /// An inactive constraint: this is the other plus 8 points, times the multiplier.
    open func constraint(
        equalToSystemSpacingBelow anchor: NSLayoutYAxisAnchor, multiplier: CGFloat
    ) -> NSLayoutConstraint { constraint(.equal, anchor, plus: systemSpacing * multiplier) }
}

/// A width or a height.
open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// An inactive constraint: this is so many points.
    open func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        constraint(.equal, nil, plus: constant)
    }
    /// An inactive constraint: this is so many points at least.
    open func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        constraint(.greaterThanOrEqual, nil, plus: constant)
    }
    /// An inactive constraint: this is so many points at most.
    open func constraint(lessThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        constraint(.lessThanOrEqual, nil, plus: constant)
    }
    /// An inactive constraint: this is a multiple of the other, plus points.
    open func constraint(
        equalTo anchor: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { constraint(.equal, anchor, times: multiplier, plus: constant) }
    /// An inactive constraint: this is at least a multiple of the other, plus points.
    open func constraint(
        greaterThanOrEqualTo anchor: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { constraint(.greaterThanOrEqual, anchor, times: multiplier, plus: constant) }
    /// An inactive constraint: this is at most a multiple of the other, plus points.
    open func constraint(
        lessThanOrEqualTo anchor: NSLayoutDimension, multiplier: CGFloat, constant: CGFloat = 0
    ) -> NSLayoutConstraint { constraint(.lessThanOrEqual, anchor, times: multiplier, plus: constant) }
}
