/// An application, whose entry point is this type marked `@main`.
@MainActor @preconcurrency public protocol App {
    /// The type of its scenes.
    associatedtype Body: Scene
    /// Its scenes. Evaluated at launch, when the application's state changes, and when data of the application change.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Makes the application's value.
    @MainActor @preconcurrency init()
}

extension App {
    /// The entry point: makes the application's value, launches its delegate, and registers the background tasks of its scenes.
    /// In a worker it returns then; in a process of its own it brings the application to the foreground, and never returns.
    @MainActor @preconcurrency public static func main() {
        let application = RunningApplication(Self())
        DeclaredApplication.current = DeclaredApplication(
            changed: { application.enter(ScenePhase($0)) },
            handles: { session, done in application.handle(session, done) })
        Launching.launch(application.delegate) { application.declare() }
    }
}

/// The delegate of an application that declares none.
final class DefaultDelegate: UIResponder, UIApplicationDelegate {}
