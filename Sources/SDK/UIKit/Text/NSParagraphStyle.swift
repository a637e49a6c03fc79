/// How a paragraph would be placed. Stores its values: nothing is placed.
open class NSParagraphStyle: NSObject, NSCopying, @unchecked Sendable {  // a mutable one has one owner
    struct Fields {
        var lineSpacing: CGFloat = 0
        var paragraphSpacing: CGFloat = 0
        var paragraphSpacingBefore: CGFloat = 0
        var alignment: NSTextAlignment = .natural
        var firstLineHeadIndent: CGFloat = 0
        var headIndent: CGFloat = 0
        var tailIndent: CGFloat = 0
        var lineBreakMode: NSLineBreakMode = .byWordWrapping
        var minimumLineHeight: CGFloat = 0
        var maximumLineHeight: CGFloat = 0
        var lineHeightMultiple: CGFloat = 0
    }
    var fields: Fields

    /// Makes one with the usual values.
    public override init() { fields = Fields() }
    init(_ fields: Fields) { self.fields = fields }

    /// The usual one.
    open class var `default`: NSParagraphStyle { NSParagraphStyle() }
    /// Points between two lines.
    open var lineSpacing: CGFloat { fields.lineSpacing }
    /// Points after the paragraph.
    open var paragraphSpacing: CGFloat { fields.paragraphSpacing }
    /// Points before the paragraph.
    open var paragraphSpacingBefore: CGFloat { fields.paragraphSpacingBefore }
    /// How the text is placed.
    open var alignment: NSTextAlignment { fields.alignment }
    /// Points before the first line.
    open var firstLineHeadIndent: CGFloat { fields.firstLineHeadIndent }
    /// Points before the other lines.
    open var headIndent: CGFloat { fields.headIndent }
    /// Where lines end: points from the beginning, or below 0 from the end.
    open var tailIndent: CGFloat { fields.tailIndent }
    /// How lines are broken.
    open var lineBreakMode: NSLineBreakMode { fields.lineBreakMode }
    /// Points of a line at least.
    open var minimumLineHeight: CGFloat { fields.minimumLineHeight }
    /// Points of a line at most, 0 for any number.
    open var maximumLineHeight: CGFloat { fields.maximumLineHeight }
    /// What the height of a line is multiplied by, 0 for nothing.
    open var lineHeightMultiple: CGFloat { fields.lineHeightMultiple }
    /// One that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { NSParagraphStyle(fields) }
    open override func copy() -> Any { copy(with: nil) }
    /// One that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableParagraphStyle(fields) }
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }
}

/// How a paragraph would be placed, while it is made.
open class NSMutableParagraphStyle: NSParagraphStyle, @unchecked Sendable {
    /// Makes one with the usual values.
    public override init() { super.init() }
    override init(_ fields: Fields) { super.init(fields) }
    /// Points between two lines.
    open override var lineSpacing: CGFloat {
        get { fields.lineSpacing }
        set { fields.lineSpacing = newValue }
    }
    /// Points after the paragraph.
    open override var paragraphSpacing: CGFloat {
        get { fields.paragraphSpacing }
        set { fields.paragraphSpacing = newValue }
    }
    /// Points before the paragraph.
    open override var paragraphSpacingBefore: CGFloat {
        get { fields.paragraphSpacingBefore }
        set { fields.paragraphSpacingBefore = newValue }
    }
    /// How the text is placed.
    open override var alignment: NSTextAlignment {
        get { fields.alignment }
        set { fields.alignment = newValue }
    }
    /// Points before the first line.
    open override var firstLineHeadIndent: CGFloat {
        get { fields.firstLineHeadIndent }
        set { fields.firstLineHeadIndent = newValue }
    }
    /// Points before the other lines.
    open override var headIndent: CGFloat {
        get { fields.headIndent }
        set { fields.headIndent = newValue }
    }
    /// Where lines end: points from the beginning, or below 0 from the end.
    open override var tailIndent: CGFloat {
        get { fields.tailIndent }
        set { fields.tailIndent = newValue }
    }
    /// How lines are broken.
    open override var lineBreakMode: NSLineBreakMode {
        get { fields.lineBreakMode }
        set { fields.lineBreakMode = newValue }
    }
    /// Points of a line at least.
    open override var minimumLineHeight: CGFloat {
        get { fields.minimumLineHeight }
        set { fields.minimumLineHeight = newValue }
    }
    /// Points of a line at most, 0 for any number.
    open override var maximumLineHeight: CGFloat {
        get { fields.maximumLineHeight }
        set { fields.maximumLineHeight = newValue }
    }
    /// What the height of a line is multiplied by, 0 for nothing.
    open override var lineHeightMultiple: CGFloat {
        get { fields.lineHeightMultiple }
        set { fields.lineHeightMultiple = newValue }
    }
    /// Takes all values of another.
    open func setParagraphStyle(_ obj: NSParagraphStyle) { fields = obj.fields }
}
