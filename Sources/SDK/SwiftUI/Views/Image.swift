/// An image. Keeps its name; nothing is loaded or drawn.
public nonisolated struct Image: Equatable, Sendable {
    let name: String

    /// - Parameters:
    ///   - name: of the application's images.
    ///   - bundle: of no effect.
    public init(_ name: String, bundle: Bundle? = nil) { self.name = name }
    /// - Parameters:
    ///   - name: of the application's images.
    ///   - bundle: of no effect.
    ///   - label: what the image shows.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) { self.name = name }
    /// - Parameters:
    ///   - name: of the application's images.
    ///   - bundle: of no effect.
    public init(decorative name: String, bundle: Bundle? = nil) { self.name = name }
    /// - Parameter systemName: of the system's symbols.
    public init(systemName: String) { name = systemName }
    /// - Parameter uiImage: an image without pixels.
    public init(uiImage: UIImage) { name = "" }

    /// How an image is drawn in another size.
    public enum ResizingMode: Sendable {
        /// Again and again.
        case tile
        /// Larger or smaller.
        case stretch
    }
    /// Which colors an image has.
    public enum TemplateRenderingMode: Sendable {
        /// One.
        case template
        /// Its own.
        case original
    }
    /// How large a symbol is.
    public enum Scale: Sendable {
        /// Small.
        case small
        /// As the text.
        case medium
        /// Large.
        case large
    }
    /// How carefully an image is drawn in another size.
    public enum Interpolation: Sendable {
        /// Not.
        case none
        /// Little.
        case low
        /// As usual.
        case medium
        /// Much.
        case high
    }

    /// The image as it is.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { self }
    /// The image as it is.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image { self }
    /// The image as it is.
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    /// The image as it is.
    public func antialiased(_ isAntialiased: Bool) -> Image { self }
    /// The image as it is.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}

extension Image: View {
    /// None.
    public typealias Body = Never
}

/// Which colors a symbol has.
public struct SymbolRenderingMode: Sendable {
    /// One.
    public static let monochrome = SymbolRenderingMode()
    /// Its own.
    public static let multicolor = SymbolRenderingMode()
    /// One in several strengths.
    public static let hierarchical = SymbolRenderingMode()
    /// Several.
    public static let palette = SymbolRenderingMode()
}
