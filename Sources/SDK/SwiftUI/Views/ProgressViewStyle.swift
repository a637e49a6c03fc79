/// A style of the kind `ProgressView`. Of no effect.
public protocol ProgressViewStyle {}

/// The style `automatic`.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public init() {}
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The style `automatic`.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

/// The style `circular`.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public init() {}
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style `circular`.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

/// The style `linear`.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// Makes it.
    public init() {}
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style `linear`.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
