internal import TaskHostRuntime

/// A relation between two views' sizes or places. It is kept by the view that holds both, and nothing is placed by it.
@preconcurrency @MainActor open class NSLayoutConstraint: NSObject {
    /// What holds between the two sides.
    public enum Relation: Int, Sendable {
        /// The first is at most the second.
        case lessThanOrEqual = -1
        /// They are equal.
        case equal = 0
        /// The first is at least the second.
        case greaterThanOrEqual = 1
    }
    /// The part of a view that a side is about.
    public enum Attribute: Int, Sendable {
        /// The left edge.
        case left = 1
        /// The right edge.
        case right = 2
        /// The upper edge.
        case top = 3
        /// The lower edge.
        case bottom = 4
        /// Where lines begin.
        case leading = 5
        /// Where lines end.
        case trailing = 6
        /// The width.
        case width = 7
        /// The height.
        case height = 8
        /// The middle, from left to right.
        case centerX = 9
        /// The middle, from top to bottom.
        case centerY = 10
        /// What the last line of text stands on.
        case lastBaseline = 11
        /// What the first line of text stands on.
        case firstBaseline = 12
        /// The left margin.
        case leftMargin = 13
        /// The right margin.
        case rightMargin = 14
        /// The upper margin.
        case topMargin = 15
        /// The lower margin.
        case bottomMargin = 16
        /// The margin where lines begin.
        case leadingMargin = 17
        /// The margin where lines end.
        case trailingMargin = 18
        /// The middle between left and right margin.
        case centerXWithinMargins = 19
        /// The middle between upper and lower margin.
        case centerYWithinMargins = 20
        /// Nothing: the second side is a number.
        case notAnAttribute = 0
    }
    /// A direction.
    public enum Axis: Int, Sendable {
        /// Side by side.
        case horizontal = 0
        /// One above the other.
        case vertical = 1
    }

    /// What the first side is about: a view or a layout guide.
    open private(set) weak var firstItem: AnyObject?
    /// What the second side is about; nil when it is a number.
    open private(set) weak var secondItem: AnyObject?
    /// The part of the first side.
    public let firstAttribute: Attribute
    /// The part of the second side.
    public let secondAttribute: Attribute
    /// What holds between the two.
    public let relation: Relation
    /// What the second side is multiplied by.
    public let multiplier: CGFloat
    /// What is added to the second side, in points.
    open var constant: CGFloat
    /// How much it matters.
    open var priority = UILayoutPriority.required
    /// Its name, for those who look for faults.
    open var identifier: String?
    /// Kept.
    open var shouldBeArchived = false
    private weak var holder: UIView?

    /// - Parameters:
    ///   - view1: what the first side is about.
    ///   - attribute1: the part of it.
    ///   - relation: what holds.
    ///   - view2: what the second side is about.
    ///   - attribute2: the part of it.
    ///   - multiplier: what the second side is multiplied by.
    ///   - constant: what is added to that.
    public init(
        item view1: Any, attribute attribute1: Attribute, relatedBy relation: Relation, toItem view2: Any?,
        attribute attribute2: Attribute, multiplier: CGFloat, constant: CGFloat
    ) {
        firstItem = view1 as AnyObject
        secondItem = view2.map { $0 as AnyObject }
        (firstAttribute, secondAttribute) = (attribute1, attribute2)
        (self.relation, self.multiplier, self.constant) = (relation, multiplier, constant)
        super.init()
    }

    /// Whether it is in force: whether the nearest view that contains both sides lists it. Setting it without such a
    /// view ends an application on iOS; here it stays false, and the journal says so.
    open var isActive: Bool {
        get { holder != nil }
        set { newValue ? activate() : deactivate() }
    }

    /// Makes several active.
    public class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Makes several inactive.
    public class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }

    private func activate() {
        guard holder == nil else { return }
        let views = [firstItem, secondItem].compactMap { $0 }.map { Self.view(of: $0) }
        guard let first = views.first, let first, let last = views.last, let last,
            let common = sequence(first: first, next: \.superview).first(where: { last.isDescendant(of: $0) })
        else {
            return Diagnostic.write(
                "a constraint stays inactive: its views have no common ancestor, which ends an application on iOS; add "
                    + "them to a view first")
        }
        hold(in: common)
    }

    private static func view(of item: AnyObject) -> UIView? { (item as? UILayoutGuide)?.owningView ?? item as? UIView }

    /// Whether a side of it is a view, or in that view.
    func concerns(_ view: UIView) -> Bool {
        [firstItem, secondItem].compactMap { $0 }.contains { Self.view(of: $0)?.isDescendant(of: view) ?? false }
    }

    func hold(in view: UIView) {
        deactivate()
        holder = view
        view.heldConstraints.append(self)
    }

    private func deactivate() {
        holder?.heldConstraints.removeAll { $0 === self }
        holder = nil
    }
}
