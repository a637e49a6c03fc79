/// Widgets of the application: none, because there is no screen to put one on.
public final class WidgetCenter: Sendable {
    /// The only one.
    public static let shared = WidgetCenter()
    private init() {}

    /// Does nothing.
    public func reloadAllTimelines() {}
    /// Does nothing.
    /// - Parameter kind: of no effect.
    public func reloadTimelines(ofKind kind: String) {}
    /// Does nothing.
    public func invalidateConfigurationRecommendations() {}

    /// The widgets that the user has added: none.
    /// - Parameter completion: is called at once, on the calling thread.
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {
        completion(.success([]))
    }

    /// The widgets that the user has added: none.
    public func currentConfigurations() async throws -> [WidgetInfo] { [] }
}
