/// An image of the web. Nothing is loaded.
public struct AsyncImage<Content: View>: View {
    /// None.
    public typealias Body = Never
    let url: URL?
    /// - Parameters:
    ///   - url: the image.
    ///   - scale: of no effect.
    public init(url: URL?, scale: CGFloat = 1) where Content == Image { self.url = url }
    /// - Parameters:
    ///   - url: the image.
    ///   - scale: of no effect.
    ///   - content: makes the view of the image; never called.
    ///   - placeholder: makes the view while there is none; never called.
    public init<I: View, P: View>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> { self.url = url }
}
