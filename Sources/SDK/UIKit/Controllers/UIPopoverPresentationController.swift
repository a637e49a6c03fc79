/// Where a controller comes from that is presented beside something. No controller has one, as on a device without room
/// for it.
@preconcurrency @MainActor open class UIPopoverPresentationController: NSObject {
    /// The view that it points at.
    open var sourceView: UIView?
    /// The part of that view.
    open var sourceRect = CGRect.null
    /// The button that it points at.
    open var barButtonItem: UIBarButtonItem?
    /// The directions that it may point in.
    open var permittedArrowDirections = UIPopoverArrowDirection.any
    /// The colour behind it.
    open var backgroundColor: UIColor?
    /// The views that can be used beside it.
    open var passthroughViews: [UIView]?
    init(for controller: UIViewController) { super.init() }
}

/// Directions of an arrow.
public struct UIPopoverArrowDirection: OptionSet, Sendable {
    /// The directions as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the directions as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Upwards.
    public static let up = UIPopoverArrowDirection(rawValue: 1)
    /// Downwards.
    public static let down = UIPopoverArrowDirection(rawValue: 2)
    /// To the left.
    public static let left = UIPopoverArrowDirection(rawValue: 4)
    /// To the right.
    public static let right = UIPopoverArrowDirection(rawValue: 8)
    /// Any.
    public static let any: UIPopoverArrowDirection = [.up, .down, .left, .right]
}

extension UIViewController {
    /// None: nothing is presented beside something else.
    public var popoverPresentationController: UIPopoverPresentationController? { nil }
}
