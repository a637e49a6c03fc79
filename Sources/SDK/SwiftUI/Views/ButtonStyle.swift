/// Makes the look of buttons.
@MainActor @preconcurrency public protocol ButtonStyle {
    /// The type of the look.
    associatedtype Body: View
    /// A button.
    typealias Configuration = ButtonStyleConfiguration
    /// The look of a button. Never called.
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
}

/// A button for its style.
public struct ButtonStyleConfiguration {
    /// What the button looks like.
    public struct Label: View {
        /// None.
        public typealias Body = Never
    }
    /// What the button is for.
    public let role: ButtonRole?
    /// What the button looks like.
    public let label: Label
    /// Whether it is pressed.
    public let isPressed: Bool
}
