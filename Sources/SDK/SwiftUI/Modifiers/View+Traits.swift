/// What a view is like for others. Each gives the view as it is.
extension View {
    /// Of no effect.
    public func disabled(_ disabled: Bool) -> some View { self }
    /// Of no effect.
    public func allowsHitTesting(_ enabled: Bool) -> some View { self }
    /// Of no effect.
    public func deleteDisabled(_ isDisabled: Bool) -> some View { self }
    /// Of no effect.
    public func moveDisabled(_ isDisabled: Bool) -> some View { self }
    /// Of no effect.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }
    /// Of no effect.
    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View { self }
    /// Of no effect.
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View { self }
    /// Of no effect.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
    /// Of no effect.
    public func disableAutocorrection(_ disable: Bool?) -> some View { self }
    /// Of no effect.
    public func submitLabel(_ submitLabel: SubmitLabel) -> some View { self }
    /// Of no effect.
    public func tag<V: Hashable>(_ tag: V) -> some View { self }
    /// Of no effect.
    public func id<ID: Hashable>(_ id: ID) -> some View { self }
    /// Of no effect.
    public func equatable() -> some View { self }
    /// Of no effect.
    public func accessibilityLabel(_ label: Text) -> some View { self }
    /// Of no effect.
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { self }
    /// Of no effect.
    @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { self }
    /// Of no effect.
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }
    /// Of no effect.
    @_disfavoredOverload public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { self }
    /// Of no effect.
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { self }
    /// Of no effect.
    @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { self }
    /// Of no effect.
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    /// Of no effect.
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
    /// Of no effect.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
    /// Of no effect.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    /// Of no effect.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { self }
    /// Of no effect.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View { self }
    /// Of no effect.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View { self }
    /// The closure is never called.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View { self }
    /// Of no effect.
    public func defersSystemGestures(on edges: Edge.Set) -> some View { self }
    /// Of no effect.
    public func privacySensitive(_ sensitive: Bool = true) -> some View { self }
}
