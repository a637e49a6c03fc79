/// An image: empty. A worker decodes none.
open class UIImage: NSObject, @unchecked Sendable {  // immutable
    /// A picture of no size.
    public override init() {
        Screen.isMissing(for: UIImage.self)
        super.init()
    }
    /// Nil: a plugin has no catalogue of pictures.
    public convenience init?(named name: String) {
        Screen.isMissing(for: UIImage.self)
        return nil
    }
    /// Nil: there are no symbols.
    public convenience init?(systemName name: String) {
        Screen.isMissing(for: UIImage.self)
        return nil
    }
    /// Nil: nothing is decoded.
    public convenience init?(data: Data) {
        Screen.isMissing(for: UIImage.self)
        return nil
    }
    /// Nil: nothing is decoded.
    public convenience init?(contentsOfFile path: String) {
        Screen.isMissing(for: UIImage.self)
        return nil
    }
    /// None.
    open var size: CGSize { .zero }
    /// 1.
    open var scale: CGFloat { 1 }
    /// Nil: there is nothing to encode.
    open func pngData() -> Data? { nil }
    /// Nil: there is nothing to encode.
    open func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}
