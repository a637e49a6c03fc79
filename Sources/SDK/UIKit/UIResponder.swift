/// The base of objects that UIKit makes, such as application delegates.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Makes a responder.
    public override init() { super.init() }

    /// Who is asked after this one: nobody, there is nothing to respond to.
    open var next: UIResponder? { nil }

    /// What the framework makes application and scene delegates with. Convenience and required: it leads to the subclass's
    /// own `init()`, overridden or not.
    public required convenience init(_uikitLaunch: Void) { self.init() }
}
