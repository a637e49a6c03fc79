/// Something that can be done with what is shared: never done.
@preconcurrency @MainActor open class UIActivity: NSObject {
    /// Names a kind of activity.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// - Parameter rawValue: the name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// - Parameter rawValue: the name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// By mail.
        public static let mail = ActivityType("com.apple.UIKit.activity.Mail")
        /// By message.
        public static let message = ActivityType("com.apple.UIKit.activity.Message")
        /// On paper.
        public static let print = ActivityType("com.apple.UIKit.activity.Print")
        /// Onto the pasteboard.
        public static let copyToPasteboard = ActivityType("com.apple.UIKit.activity.CopyToPasteboard")
        /// To a device near by.
        public static let airDrop = ActivityType("com.apple.UIKit.activity.AirDrop")
        /// Among the pictures.
        public static let saveToCameraRoll = ActivityType("com.apple.UIKit.activity.SaveToCameraRoll")
        /// To a contact.
        public static let assignToContact = ActivityType("com.apple.UIKit.activity.AssignToContact")
        /// Among the pages to read.
        public static let addToReadingList = ActivityType("com.apple.UIKit.activity.AddToReadingList")
    }
    /// Makes one.
    public override init() { super.init() }
    /// Its kind: none.
    open var activityType: ActivityType? { nil }
    /// Its title: none.
    open var activityTitle: String? { nil }
    /// Its picture: none.
    open var activityImage: UIImage? { nil }
    /// Whether it can be done: not unless a subclass says so. Never called.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }
    /// Prepares to do it: nothing. Never called.
    open func prepare(withActivityItems activityItems: [Any]) {}
    /// Does it: nothing. Never called.
    open func perform() {}
    /// Called by a subclass that has done it: does nothing.
    open func activityDidFinish(_ completed: Bool) {}
}

/// Offers what can be done with what is shared: never shown. Its handler is never called.
open class UIActivityViewController: UIViewController {
    /// What is called when something was done.
    public typealias CompletionWithItemsHandler = (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void
    /// Kept: never called.
    open var completionWithItemsHandler: CompletionWithItemsHandler?
    /// What is not offered.
    open var excludedActivityTypes: [UIActivity.ActivityType]?
    /// - Parameters:
    ///   - activityItems: of no effect.
    ///   - applicationActivities: of no effect.
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        Screen.isMissing(for: UIActivityViewController.self)
        super.init(nibName: nil, bundle: nil)
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
