/// How something changes. Nothing is animated: changes happen at once.
public struct Animation: Hashable, Sendable {
    /// Of no effect.
    public static let `default` = Animation()
    /// Of no effect.
    public static let linear = Animation()
    /// Of no effect.
    public static let easeIn = Animation()
    /// Of no effect.
    public static let easeOut = Animation()
    /// Of no effect.
    public static let easeInOut = Animation()
    /// Of no effect.
    public static let spring = Animation()
    /// Of no effect.
    public static let bouncy = Animation()
    /// Of no effect.
    public static let smooth = Animation()
    /// Of no effect.
    public static let snappy = Animation()
    /// Of no effect.
    public static let interactiveSpring = Animation()
    /// Of no effect.
    public static func linear(duration: TimeInterval) -> Animation { Animation() }
    /// Of no effect.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
    /// Of no effect.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
    /// Of no effect.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
    /// Of no effect.
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0
    ) -> Animation { Animation() }
    /// Of no effect.
    public static func spring(
        duration: TimeInterval, bounce: Double = 0, blendDuration: Double = 0
    ) -> Animation { Animation() }
    /// The animation as it is.
    public func delay(_ delay: TimeInterval) -> Animation { self }
    /// The animation as it is.
    public func speed(_ speed: Double) -> Animation { self }
    /// The animation as it is.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
    /// The animation as it is.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
}

/// How a change is made. Nothing is animated.
public struct Transaction {
    /// Kept.
    public var animation: Animation?
    /// Kept.
    public var disablesAnimations = false
    /// Makes one without an animation.
    public init() {}
    /// - Parameter animation: kept.
    public init(animation: Animation?) { self.animation = animation }
}

/// Calls a closure that changes something. Nothing is animated.
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

/// Calls a closure that changes something. Nothing is animated.
public func withTransaction<Result>(
    _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result { try body() }

/// How a view appears and disappears. Nothing is animated.
public struct AnyTransition: Sendable {
    /// Of no effect.
    public static let identity = AnyTransition()
    /// Of no effect.
    public static let opacity = AnyTransition()
    /// Of no effect.
    public static let scale = AnyTransition()
    /// Of no effect.
    public static let slide = AnyTransition()
    /// Of no effect.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// Of no effect.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { insertion }
    /// The transition as it is.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// The transition as it is.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}
