/// A list of things that can be done: never shown.
open class UIMenu: UIMenuElement {
    /// Names a menu.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// - Parameter rawValue: the name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// - Parameter rawValue: the name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// That of the application.
        public static let application = Identifier("com.apple.menu.application")
        /// That of files.
        public static let file = Identifier("com.apple.menu.file")
        /// That of changes.
        public static let edit = Identifier("com.apple.menu.edit")
        /// That of how it looks.
        public static let view = Identifier("com.apple.menu.view")
        /// That of windows.
        public static let window = Identifier("com.apple.menu.window")
        /// That of help.
        public static let help = Identifier("com.apple.menu.help")
        /// About the application.
        public static let about = Identifier("com.apple.menu.about")
        /// The settings.
        public static let preferences = Identifier("com.apple.menu.preferences")
        /// What other applications offer.
        public static let services = Identifier("com.apple.menu.services")
        /// Hiding the application.
        public static let hide = Identifier("com.apple.menu.hide")
        /// Ending the application.
        public static let quit = Identifier("com.apple.menu.quit")
        /// New windows.
        public static let newScene = Identifier("com.apple.menu.new-scene")
        /// Closing.
        public static let close = Identifier("com.apple.menu.close")
        /// Printing.
        public static let print = Identifier("com.apple.menu.print")
        /// Undoing and doing again.
        public static let undoRedo = Identifier("com.apple.menu.undo-redo")
        /// Cutting, copying and pasting.
        public static let standardEdit = Identifier("com.apple.menu.standard-edit")
        /// Finding.
        public static let find = Identifier("com.apple.menu.find")
        /// Text and its forms.
        public static let format = Identifier("com.apple.menu.format")
        /// Fonts.
        public static let font = Identifier("com.apple.menu.font")
        /// The size of text.
        public static let textSize = Identifier("com.apple.menu.text-size")
        /// The bar of tools.
        public static let toolbar = Identifier("com.apple.menu.toolbar")
        /// The bar at the side.
        public static let sidebar = Identifier("com.apple.menu.sidebar")
        /// The whole screen.
        public static let fullscreen = Identifier("com.apple.menu.fullscreen")
        /// Sharing.
        public static let share = Identifier("com.apple.menu.share")
        /// The outermost one.
        public static let root = Identifier("com.apple.menu.root")
    }
    /// How it is shown.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt
        /// - Parameter rawValue: the options as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Within the menu that contains it.
        public static let displayInline = Options(rawValue: 1)
        /// It may destroy something.
        public static let destructive = Options(rawValue: 2)
        /// One of its elements is marked.
        public static let singleSelection = Options(rawValue: 32)
        /// As a row of pictures.
        public static let displayAsPalette = Options(rawValue: 128)
    }
    /// The size of its elements.
    public enum ElementSize: Int, Sendable {
        /// Small.
        case small = 0
        /// Between small and large.
        case medium = 1
        /// Large.
        case large = 2
        /// As it likes.
        case automatic = -1
    }
    /// Its name: unique in the process when none was given.
    public let identifier: Identifier
    /// How it is shown.
    public let options: Options
    /// The size of its elements.
    open var preferredElementSize: ElementSize
    /// Its elements.
    public let children: [UIMenuElement]
    /// The marked ones of its elements.
    open var selectedElements: [UIMenuElement] { children.filter { ($0 as? UIAction)?.state == .on } }

    /// - Parameters:
    ///   - title: its title.
    ///   - subtitle: a line below the title.
    ///   - image: its picture.
    ///   - identifier: its name; nil for one of its own.
    ///   - options: how it is shown.
    ///   - preferredElementSize: the size of its elements.
    ///   - children: its elements.
    public init(
        title: String = "", subtitle: String? = nil, image: UIImage? = nil, identifier: Identifier? = nil,
        options: Options = [], preferredElementSize: ElementSize = .automatic, children: [UIMenuElement] = []
    ) {
        self.identifier = identifier ?? Identifier("com.apple.menu.dynamic.\(UUID().uuidString)")
        (self.options, self.children) = (options, children)
        self.preferredElementSize = preferredElementSize
        super.init(title, subtitle, image)
    }

    /// The same with other elements.
    open func replacingChildren(_ newChildren: [UIMenuElement]) -> UIMenu {
        UIMenu(
            title: title, subtitle: subtitle, image: image, identifier: identifier, options: options,
            preferredElementSize: preferredElementSize, children: newChildren)
    }
}
