extension UIButton {
    /// How a button looks. A value that nothing draws.
    public struct Configuration {
        /// The size of a button.
        public enum Size: Sendable {
            /// Usual.
            case medium
            /// Smaller.
            case small
            /// Smallest.
            case mini
            /// Larger.
            case large
        }
        /// The corners of a button.
        public enum CornerStyle: Sendable {
            /// As the background says.
            case fixed
            /// As the background says, and with the text's size.
            case dynamic
            /// A little round.
            case small
            /// Round.
            case medium
            /// Rounder.
            case large
            /// Half a circle.
            case capsule
        }
        /// Where the title is.
        public enum TitleAlignment: Sendable {
            /// As it fits.
            case automatic
            /// Where lines begin.
            case leading
            /// In the middle.
            case center
            /// Where lines end.
            case trailing
        }
        /// Its title.
        public var title: String?
        /// Its title, with its attributes.
        public var attributedTitle: AttributedString?
        /// A line below the title.
        public var subtitle: String?
        /// A line below the title, with its attributes.
        public var attributedSubtitle: AttributedString?
        /// Its picture.
        public var image: UIImage?
        /// Whether it shows that something goes on.
        public var showsActivityIndicator = false
        /// The colour of the contents.
        public var baseForegroundColor: UIColor?
        /// The color of the background.
        public var baseBackgroundColor: UIColor?
        /// Its corners.
        public var cornerStyle = CornerStyle.dynamic
        /// Its size.
        public var buttonSize = Size.medium
        /// The distances around the contents.
        public var contentInsets = NSDirectionalEdgeInsets.zero
        /// The edge that the picture is at.
        public var imagePlacement = NSDirectionalRectEdge.leading
        /// Points between picture and title.
        public var imagePadding: CGFloat = 0
        /// Points between title and subtitle.
        public var titlePadding: CGFloat = 0
        /// Where the title is.
        public var titleAlignment = TitleAlignment.automatic
        /// The background.
        public var background = UIBackgroundConfiguration.clear()

        /// A button of text alone.
        public static func plain() -> Configuration { Configuration() }
        /// A button with a background of its colour, thin.
        public static func tinted() -> Configuration { Configuration() }
        /// A button with a grey background.
        public static func gray() -> Configuration { Configuration() }
        /// A button with a background of its colour.
        public static func filled() -> Configuration { Configuration() }
        /// A button without a border.
        public static func borderless() -> Configuration { Configuration() }
        /// A button with a border.
        public static func bordered() -> Configuration { Configuration() }
        /// A button with a border and a background of its colour, thin.
        public static func borderedTinted() -> Configuration { Configuration() }
        /// A button with a border and a background of its colour.
        public static func borderedProminent() -> Configuration { Configuration() }
        /// The same: nothing depends on the button.
        public func updated(for button: UIButton) -> Configuration { self }
    }
}

/// How a background looks. A value that nothing draws.
public struct UIBackgroundConfiguration {
    /// Its colour.
    public var backgroundColor: UIColor?
    /// Points of its corners' radius.
    public var cornerRadius: CGFloat = 0
    /// The distances around it.
    public var backgroundInsets = NSDirectionalEdgeInsets.zero
    /// The colour of its border.
    public var strokeColor: UIColor?
    /// Points of its border's width.
    public var strokeWidth: CGFloat = 0
    /// Its picture.
    public var image: UIImage?
    /// A background that is not seen.
    public static func clear() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    /// That of a cell of a plain list.
    public static func listPlainCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
    /// That of a cell of a grouped list.
    public static func listGroupedCell() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
}
