/// Watches the fingers on a view: none come. What is done then is named by a selector on iOS, which Linux does not
/// have.
@preconcurrency @MainActor open class UIGestureRecognizer: NSObject {
    /// What it has seen.
    public enum State: Int, Sendable {
        /// Nothing yet.
        case possible = 0
        /// The beginning.
        case began = 1
        /// A change.
        case changed = 2
        /// The end.
        case ended = 3
        /// The end, by another cause.
        case cancelled = 4
        /// Something else.
        case failed = 5
    }
    /// What it has seen: nothing.
    open var state = State.possible
    /// Whether it watches.
    open var isEnabled = true
    /// Whether the view gets no touches that it has seen.
    open var cancelsTouchesInView = true
    /// Kept: never called.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// The view that it watches.
    open internal(set) weak var view: UIView?
    /// Its name, for those who look for faults.
    open var name: String?
    /// Makes one that does nothing.
    public override init() { super.init() }
    /// Where the fingers are: nowhere.
    open func location(in view: UIView?) -> CGPoint { .zero }
}

/// Decides for a gesture recognizer: never called.
@preconcurrency @MainActor public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    /// Never called.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// Never called.
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

extension UIGestureRecognizerDelegate {
    /// True.
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    /// False.
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

extension UIView {
    /// Has a recognizer watch it.
    public func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
    }
    /// No longer has a recognizer watch it.
    public func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
    }
}

/// Watches for taps.
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// How many.
    open var numberOfTapsRequired = 1
    /// By how many fingers.
    open var numberOfTouchesRequired = 1
}

/// Watches for a finger that stays.
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// For how many seconds.
    open var minimumPressDuration: TimeInterval = 0.5
}

/// Watches for a finger that moves.
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// How far it has moved: not at all.
    open func translation(in view: UIView?) -> CGPoint { .zero }
}

/// Watches for a finger that moves in one direction.
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// Directions.
    public struct Direction: OptionSet, Sendable {
        /// The directions as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the directions as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// To the right.
        public static let right = Direction(rawValue: 1)
        /// To the left.
        public static let left = Direction(rawValue: 2)
        /// Up.
        public static let up = Direction(rawValue: 4)
        /// Down.
        public static let down = Direction(rawValue: 8)
    }
    /// In which direction.
    open var direction = Direction.right
}
