/// Bars, lists and styles around a view. Each gives the view as it is.
extension View {
    /// Of no effect: nothing is drawn.
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationTitle(_ title: Text) -> some View { self }
    /// Of no effect: nothing is drawn.
    @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationTitle(_ title: Binding<String>) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode)
        -> some View
    { self }
    /// Of no effect: nothing is drawn.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarTitle(_ title: Text, displayMode: NavigationBarItem.TitleDisplayMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarHidden(_ hidden: Bool) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarItems<L: View, T: View>(leading: L, trailing: T) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarItems<L: View>(leading: L) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationBarItems<T: View>(trailing: T) -> some View { self }
    /// The closure is never called.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    /// The closure is never called.
    public func navigationDestination<V: View>(isPresented: Binding<Bool>, @ViewBuilder destination: () -> V)
        -> some View
    { self }
    /// The closure is never called.
    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func badge(_ count: Int) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func badge(_ label: Text?) -> some View { self }
    /// Of no effect: nothing is drawn.
    public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil)
        -> some View
    { self }
    /// Of no effect: nothing is drawn.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    @_disfavoredOverload public func searchable<S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View { self }
    /// Of no effect: nothing is drawn.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View { self }
}
