/// Something in a menu.
@preconcurrency @MainActor open class UIMenuElement: NSObject {
    /// What is special about it.
    public struct Attributes: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// It cannot be chosen.
        public static let disabled = Attributes(rawValue: 1)
        /// It may destroy something.
        public static let destructive = Attributes(rawValue: 2)
        /// It is not to be seen.
        public static let hidden = Attributes(rawValue: 4)
        /// The menu stays after it.
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }
    /// Whether it is marked.
    public enum State: Int, Sendable {
        /// It is not.
        case off = 0
        /// It is.
        case on = 1
        /// Partly.
        case mixed = 2
    }
    /// Its title.
    open internal(set) var title: String
    /// A line below the title.
    open var subtitle: String?
    /// Its picture.
    open internal(set) var image: UIImage?

    init(_ title: String, _ subtitle: String?, _ image: UIImage?) {
        (self.title, self.subtitle, self.image) = (title, subtitle, image)
        super.init()
    }
}
