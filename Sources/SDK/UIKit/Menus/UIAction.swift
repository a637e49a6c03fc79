/// What a `UIAction` does.
public typealias UIActionHandler = (UIAction) -> Void

/// Something that can be done: by `UIControl.sendActions(for:)`, or by the application. No user chooses it.
open class UIAction: UIMenuElement {
    /// Names an action.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// - Parameter rawValue: the name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// - Parameter rawValue: the name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
    /// Its name: unique in the process when none was given.
    public let identifier: Identifier
    /// Its title where the application's shortcuts are listed.
    open var discoverabilityTitle: String?
    /// What is special about it.
    open var attributes: Attributes
    /// Whether it is marked.
    open var state: State
    /// What it is being done for, while it is.
    open private(set) var sender: Any?
    private let handler: UIActionHandler

    /// - Parameters:
    ///   - title: its title.
    ///   - subtitle: a line below the title.
    ///   - image: its picture.
    ///   - identifier: its name; nil for one of its own.
    ///   - discoverabilityTitle: its title where shortcuts are listed.
    ///   - attributes: what is special about it.
    ///   - state: whether it is marked.
    ///   - handler: what it does.
    public init(
        title: String = "", subtitle: String? = nil, image: UIImage? = nil, identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil, attributes: Attributes = [], state: State = .off,
        handler: @escaping UIActionHandler
    ) {
        self.identifier = identifier ?? Identifier("com.apple.action.dynamic.\(UUID().uuidString)")
        self.discoverabilityTitle = discoverabilityTitle
        (self.attributes, self.state, self.handler) = (attributes, state, handler)
        super.init(title, subtitle, image)
    }

    /// Does it, for a sender.
    open func performWithSender(_ sender: Any?, target: Any?) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}
