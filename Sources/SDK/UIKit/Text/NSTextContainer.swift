/// Where a text would be placed. Stores its values: nothing is placed.
@preconcurrency @MainActor open class NSTextContainer: NSObject {
    /// Its size; zero for any.
    open var size: CGSize
    /// Points at the beginning and the end of each line.
    open var lineFragmentPadding: CGFloat = 5
    /// Lines at most, 0 for any number.
    open var maximumNumberOfLines = 0
    /// How the last line is broken.
    open var lineBreakMode = NSLineBreakMode.byWordWrapping
    /// Whether its width follows that of the view.
    open var widthTracksTextView = false
    /// Whether its height follows that of the view.
    open var heightTracksTextView = false
    /// - Parameter size: its size; zero for any.
    public init(size: CGSize) {
        self.size = size
        super.init()
    }
    /// Makes one of any size.
    public override convenience init() { self.init(size: .zero) }
}
