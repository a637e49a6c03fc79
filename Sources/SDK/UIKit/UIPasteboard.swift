internal import Synchronization

/// What was copied. It is kept in the process: no other application sees it, nor the next process.
open class UIPasteboard: NSObject, @unchecked Sendable {  // `stored` has a lock
    /// Names a pasteboard.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// - Parameter rawValue: the name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// - Parameter rawValue: the name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// That of the general pasteboard.
        public static let general = Name("com.apple.UIKit.pboard.general")
    }
    private struct Stored: Sendable {
        var strings: [String] = []
        var urls: [URL] = []
        var image: UIImage?
        var changes = 0
    }
    private let stored = Mutex(Stored())
    private static let single = UIPasteboard(.general)
    /// Its name.
    public let name: Name
    private init(_ name: Name) {
        self.name = name
        super.init()
    }

    /// Posted when its contents have changed, on the thread that has changed them, with the pasteboard as its object.
    public class var changedNotification: Notification.Name { Notification.Name("UIPasteboardChangedNotification") }
    /// The pasteboard that code uses that names none.
    open class var general: UIPasteboard { single }
    /// A new pasteboard, of a name that is unique in the process.
    open class func withUniqueName() -> UIPasteboard { UIPasteboard(Name(UUID().uuidString)) }

    /// The first of its texts. Setting it takes all else away.
    open var string: String? {
        get { strings?.first }
        set { strings = newValue.map { [$0] } }
    }
    /// Its texts; nil without any. Setting them takes all else away.
    open var strings: [String]? {
        get { stored.withLock { $0.strings.isEmpty ? nil : $0.strings } }
        set { change { $0.strings = newValue ?? [] } }
    }
    /// The first of its URLs. Setting it takes all else away.
    open var url: URL? {
        get { urls?.first }
        set { urls = newValue.map { [$0] } }
    }
    /// Its URLs; nil without any. Setting them takes all else away.
    open var urls: [URL]? {
        get { stored.withLock { $0.urls.isEmpty ? nil : $0.urls } }
        set { change { $0.urls = newValue ?? [] } }
    }
    /// Its picture. Setting it takes all else away.
    open var image: UIImage? {
        get { stored.withLock { $0.image } }
        set { change { $0.image = newValue } }
    }
    /// Whether it has a text.
    open var hasStrings: Bool { strings != nil }
    /// Whether it has a URL.
    open var hasURLs: Bool { urls != nil }
    /// Whether it has a picture.
    open var hasImages: Bool { image != nil }
    /// How many things it has.
    open var numberOfItems: Int {
        stored.withLock { $0.strings.count + $0.urls.count + ($0.image == nil ? 0 : 1) }
    }
    /// How often its contents have changed.
    open var changeCount: Int { stored.withLock { $0.changes } }

    private func change(_ body: (inout Stored) -> Void) {
        stored.withLock {
            $0 = Stored(changes: $0.changes + 1)
            body(&$0)
        }
        NotificationCenter.default.post(name: Self.changedNotification, object: self)
    }
}
