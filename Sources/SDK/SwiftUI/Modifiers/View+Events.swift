/// What happens with a view: nothing does. Each gives the view as it is.
extension View {
    /// The closure is never called.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    /// The closure is never called.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    /// The closure is never called.
    public func task(
        priority: TaskPriority = .userInitiated, _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }
    /// The closure is never called.
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }
    /// The closure is never called.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
    /// The closure is never called.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { self }
    /// The closure is never called.
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void) -> some View
    { self }
    /// The closure is never called.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View {
        self
    }
    /// The closure is never called.
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P.Failure == Never { self }
    /// The closure is never called.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }
    /// The closure is never called.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void
    ) -> some View { self }
    /// The closure is never called.
    public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
    /// The closure is never called.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    /// The closure is never called.
    public func onContinueUserActivity(_ activityType: String, perform action: @escaping (NSUserActivity) -> Void)
        -> some View
    { self }
    /// The closure is never called.
    public func onHover(perform action: @escaping (Bool) -> Void) -> some View { self }
    /// The closure is never called.
    public func onPreferenceChange<K: PreferenceKey>(_ key: K.Type, perform action: @escaping (K.Value) -> Void)
        -> some View where K.Value: Equatable
    { self }
    /// Of no effect.
    public func preference<K: PreferenceKey>(key: K.Type, value: K.Value) -> some View { self }
    /// The closure is never called.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View { self }
    /// The closure is never called.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View { self }
    /// Of no effect.
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
    /// Of no effect.
    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View {
        self
    }
    /// Of no effect.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
}
