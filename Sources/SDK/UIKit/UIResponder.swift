/// The base of objects that UIKit makes, such as application delegates.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Makes a responder.
    public override init() { super.init() }

    /// The next responder: none, there is nothing to respond to.
    open var next: UIResponder? { nil }

    /// The framework creates application and scene delegates with it. Convenience and required: it calls the subclass's own
    /// `init()`, overridden or not.
    public required convenience init(_uikitLaunch: Void) { self.init() }
}
