/// Shows an image. Stores its values.
open class UIImageView: UIView {
    /// The picture.
    open var image: UIImage?
    /// - Parameter image: the picture.
    public convenience init(image: UIImage?) {
        self.init(frame: .zero)
        self.image = image
    }
    /// - Parameter frame: where it is.
    public override init(frame: CGRect) {
        Screen.isMissing(for: UIImageView.self)
        super.init(frame: frame)
    }
    /// - Parameter coder: of no effect.
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
