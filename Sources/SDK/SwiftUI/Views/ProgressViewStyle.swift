/// Makes the look of a `ProgressView`.
@MainActor @preconcurrency public protocol ProgressViewStyle {
    /// The type of the look.
    associatedtype Body: View
    /// What has the look.
    typealias Configuration = ProgressViewStyleConfiguration
    /// The look. Never called.
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}

/// A `ProgressView` for its style.
public struct ProgressViewStyleConfiguration {
    /// What it says.
    public struct Label: View {
        /// None.
        public typealias Body = Never
    }
    /// How far, 0 to 1.
    public let fractionCompleted: Double?
    /// What it says.
    public var label: Label?
}

/// The style `automatic`.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The style `automatic`.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

/// The style `circular`.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style `circular`.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

/// The style `linear`.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public nonisolated init() {}
    /// The label.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style `linear`.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
