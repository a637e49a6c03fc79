internal import Synchronization
internal import TaskHostRuntime

/// The files of interfaces that a plugin does not have.
enum Storyboards {
    private static let isTold = Mutex(false)

    /// Notes, once in a process, that there are none.
    static func areMissing() {
        let isFirst = isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        guard isFirst else { return }
        Diagnostic.write("storyboards and nib files do nothing: a plugin has none; make controllers and views in code")
    }

    /// A coder that decodes nothing.
    static var emptyCoder: NSCoder {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        return (try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)) ?? archiver
    }
}

/// A file of controllers: there is none, and the first use of one in a process adds a line to the journal.
@preconcurrency @MainActor open class UIStoryboard: NSObject {
    private let name: String
    /// - Parameters:
    ///   - name: its name, for misuse.
    ///   - storyboardBundleOrNil: of no effect.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        Storyboards.areMissing()
        self.name = name
        super.init()
    }
    /// An empty controller.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController { UIViewController() }
    /// The controller that the creator makes. Without one, or where it returns nil, `init(coder:)` makes it; the coder
    /// is empty. When that returns nil as well the process ends.
    public func instantiateViewController<ViewController: UIViewController>(
        identifier: String, creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController {
        let coder = Storyboards.emptyCoder
        if let made = creator?(coder) ?? ViewController(coder: coder) { return made }
        Misuse.trap(
            "Storyboard (\(name)) doesn't contain a view controller with identifier '\(identifier)'",
            advice: "a plugin has no storyboards; pass a creator that makes the controller",
            exception: "NSInvalidArgumentException")
    }
    /// None.
    open func instantiateInitialViewController() -> UIViewController? { nil }
    /// The controller that the creator makes; nil without one.
    public func instantiateInitialViewController<ViewController: UIViewController>(
        creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController? { creator?(Storyboards.emptyCoder) }
}

/// A way from one controller of a storyboard to another: never made by the framework.
@preconcurrency @MainActor open class UIStoryboardSegue: NSObject {
    /// Its name.
    public let identifier: String?
    /// The controller that it begins at.
    public let source: UIViewController
    /// The controller that it leads to.
    public let destination: UIViewController
    /// - Parameters:
    ///   - identifier: its name.
    ///   - source: the controller that it begins at.
    ///   - destination: the controller that it leads to.
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        (self.identifier, self.source, self.destination) = (identifier, source, destination)
        super.init()
    }
    /// Does nothing.
    open func perform() {}
}
