/// What a view of a list shows.
@preconcurrency @MainActor public protocol UIContentConfiguration {}

/// Text and a picture of a row. A value that nothing draws.
public struct UIListContentConfiguration: UIContentConfiguration {
    /// How a text looks.
    public struct TextProperties {
        /// Its font.
        public var font = UIFont.preferredFont(forTextStyle: .body)
        /// Its colour.
        public var color = UIColor.label
        /// Lines at most, 0 for any number.
        public var numberOfLines = 0
        /// How lines are broken.
        public var lineBreakMode = NSLineBreakMode.byTruncatingTail
        /// Whether it would shrink to fit.
        public var adjustsFontSizeToFitWidth = false
    }
    /// How a picture looks.
    public struct ImageProperties {
        /// Its colour.
        public var tintColor: UIColor?
        /// Points of its corners' radius.
        public var cornerRadius: CGFloat = 0
        /// The largest that it becomes.
        public var maximumSize = CGSize.zero
    }
    /// The text.
    public var text: String?
    /// The text, with its attributes.
    public var attributedText: NSAttributedString?
    /// A second text.
    public var secondaryText: String?
    /// A second text, with its attributes.
    public var secondaryAttributedText: NSAttributedString?
    /// The picture.
    public var image: UIImage?
    /// How the text looks.
    public var textProperties = TextProperties()
    /// How the second text looks.
    public var secondaryTextProperties = TextProperties()
    /// How the picture looks.
    public var imageProperties = ImageProperties()
    /// Whether the texts stand side by side.
    public var prefersSideBySideTextAndSecondaryText = false
    /// Points between picture and text.
    public var imageToTextPadding: CGFloat = 0
    /// Points between the texts.
    public var textToSecondaryTextVerticalPadding: CGFloat = 0
    /// The distances around it.
    public var directionalLayoutMargins = NSDirectionalEdgeInsets.zero

    private init() {}
    /// That of a cell.
    public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// That of a cell with a second text below the first.
    public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// That of a cell with a second text beside the first.
    public static func valueCell() -> UIListContentConfiguration {
        var value = UIListContentConfiguration()
        value.prefersSideBySideTextAndSecondaryText = true
        return value
    }
    /// That of a header.
    public static func plainHeader() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// That of a header in a list of several.
    public static func groupedHeader() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// That of a footer.
    public static func plainFooter() -> UIListContentConfiguration { UIListContentConfiguration() }
    /// That of a footer in a list of several.
    public static func groupedFooter() -> UIListContentConfiguration { UIListContentConfiguration() }
}
