/// Modifiers of what is drawn: without effect.
extension Scene {
    /// The scene as it is: nothing reads the value.
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some Scene {
        self
    }
    /// The scene as it is: nothing reads the object.
    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some Scene { self }
    /// The scene as it is: nothing reads the object.
    public func environmentObject<Object: ObservableObject>(_ object: Object) -> some Scene { self }
    /// The scene as it is.
    public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene { self }
    /// The scene as it is.
    public func defaultSize(_ size: CGSize) -> some Scene { self }
    /// The scene as it is: nothing opens URLs.
    public func handlesExternalEvents(matching conditions: Set<String>) -> some Scene { self }
    /// The scene as it is: there is no menu.
    public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene { self }
}
