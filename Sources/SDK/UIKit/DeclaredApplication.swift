/// An application that SwiftUI launches. It has a scene, which needs no delegate.
@MainActor package struct DeclaredApplication {
    /// The one of this process.
    package static var current: DeclaredApplication?

    /// The application has entered a state, and its delegates and observers have been told.
    let changed: (UIApplication.State) -> Void
    /// Takes over a background session's events, and sees to it that the closure is called; false: it does not handle that
    /// session.
    let handles: (_ session: String, _ done: @escaping () -> Void) -> Bool

    package init(
        changed: @escaping (UIApplication.State) -> Void,
        handles: @escaping (_ session: String, _ done: @escaping () -> Void) -> Bool
    ) {
        self.changed = changed
        self.handles = handles
    }
}
