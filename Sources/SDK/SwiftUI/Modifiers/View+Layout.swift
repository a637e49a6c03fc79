/// Where a view is and how large. Each gives the view as it is.
extension View {
    /// Of no effect: nothing is drawn.
    public func padding(_ insets: EdgeInsets) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func padding(_ length: CGFloat) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        self
    }
    /// Of no effect: nothing is drawn.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func fixedSize() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func layoutPriority(_ value: Double) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func offset(_ offset: CGSize) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scaledToFit() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scaledToFill() -> some View { self }
    /// Of no effect: nothing is drawn.
    public func zIndex(_ value: Double) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func coordinateSpace(name: some Hashable) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func gridCellColumns(_ count: Int) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func previewDisplayName(_ value: String?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func previewLayout(_ value: PreviewLayout) -> some View { self }
}

/// Parts of a screen that hold something else.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// The parts as bits.
    public let rawValue: UInt
    /// - Parameter rawValue: the parts as bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Bars and the edges of the screen.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// All of them.
    public static let all: SafeAreaRegions = [.container, .keyboard]
}
