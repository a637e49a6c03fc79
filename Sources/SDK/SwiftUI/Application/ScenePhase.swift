/// How much of the application is in front.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// In the background. Also before the scene is connected.
    case background
    /// In the foreground, without events.
    case inactive
    /// In the foreground, with events.
    case active

    init(_ state: UIApplication.State) {
        self =
            switch state {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            }
    }
}
