extension Scene {
    /// Calls an action when a value changes from one evaluation of the scenes to the next: on the main thread, and for the
    /// scene phase before the application can be suspended.
    /// - Parameters:
    ///   - value: the value.
    ///   - initial: whether the action is also called at launch.
    ///   - action: gets the old value and the new one.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some Scene {
        DeclaringScene(content: self) { declarations in
            declarations.watch(
                Declarations.Watched(
                    value: value, isCalledAtFirst: initial,
                    changed: { old in
                        guard let old = old as? Value, old != value else { return }
                        action(old, value)
                    },
                    first: { action(value, value) }))
        }
    }

    /// Calls an action when a value changes.
    /// - Parameters:
    ///   - value: the value.
    ///   - initial: whether the action is also called at launch.
    ///   - action: what to do.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene {
        onChange(of: value, initial: initial) { _, _ in action() }
    }

    /// Calls an action when a value changes.
    /// - Parameters:
    ///   - value: the value.
    ///   - action: gets the new value.
    public func onChange<Value: Equatable>(
        of value: Value, perform action: @escaping (_ newValue: Value) -> Void
    ) -> some Scene {
        onChange(of: value, initial: false) { _, new in action(new) }
    }
}
