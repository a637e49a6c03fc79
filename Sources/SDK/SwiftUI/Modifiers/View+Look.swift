/// What a view looks like. Each gives the view as it is.
extension View {
    /// Of no effect: nothing is drawn.
    public func font(_ font: Font?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func fontWeight(_ weight: Font.Weight?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func fontDesign(_ design: Font.Design?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func bold(_ isActive: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func italic(_ isActive: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func monospaced(_ isActive: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func monospacedDigit() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func foregroundColor(_ color: Color?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func tint(_ tint: Color?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func accentColor(_ accentColor: Color?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { self }
    /// Of no effect: nothing is drawn.
    @_disfavoredOverload public func background<Background: View>(
        _ background: Background, alignment: Alignment = .center
    ) -> some View {
        self
    }
    /// Of no effect: nothing is drawn.
    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func overlay<Overlay: View>(_ overlay: Overlay, alignment: Alignment = .center) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func clipped(antialiased: Bool = false) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func clipShape<S: Shape>(_ shape: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func mask<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func shadow(color: Color = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func opacity(_ opacity: Double) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func hidden() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func brightness(_ amount: Double) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func saturation(_ amount: Double) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func redacted(reason: RedactionReasons) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func lineLimit(_ number: Int?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func textCase(_ textCase: Text.Case?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func imageScale(_ scale: Image.Scale) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func controlSize(_ controlSize: ControlSize) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func labelsHidden() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func transition(_ transition: AnyTransition) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func matchedGeometryEffect<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func blendMode(_ blendMode: BlendMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func compositingGroup() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func listItemTint(_ tint: Color?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func grayscale(_ amount: Double) -> some View { self }
}

/// Why a view does not show what it has.
public struct RedactionReasons: OptionSet, Sendable {
    /// The reasons as bits.
    public let rawValue: Int
    /// - Parameter rawValue: the reasons as bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// There is nothing yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// Others may see it.
    public static let privacy = RedactionReasons(rawValue: 2)
}
