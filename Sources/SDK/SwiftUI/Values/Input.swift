/// What can be felt.
public struct SensoryFeedback: Equatable, Sendable {
    /// Something went well.
    public static let success = SensoryFeedback()
    /// Something may go wrong.
    public static let warning = SensoryFeedback()
    /// Something went wrong.
    public static let error = SensoryFeedback()
    /// Another one is chosen.
    public static let selection = SensoryFeedback()
    /// Something is touched.
    public static let impact = SensoryFeedback()
}

/// Which letters a keyboard begins with.
public struct TextInputAutocapitalization: Sendable {
    /// Small ones.
    public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
    /// A capital one for each word.
    public static var words: TextInputAutocapitalization { TextInputAutocapitalization() }
    /// A capital one for each sentence.
    public static var sentences: TextInputAutocapitalization { TextInputAutocapitalization() }
    /// Capital ones.
    public static var characters: TextInputAutocapitalization { TextInputAutocapitalization() }
}

/// When scrolling hides the keyboard.
public struct ScrollDismissesKeyboardMode: Sendable {
    /// As usual.
    public static let automatic = ScrollDismissesKeyboardMode()
    /// At once.
    public static let immediately = ScrollDismissesKeyboardMode()
    /// With the finger.
    public static let interactively = ScrollDismissesKeyboardMode()
    /// Never.
    public static let never = ScrollDismissesKeyboardMode()
}

/// A bar of navigation.
public struct NavigationBarItem: Sendable {
    /// How large its title is.
    public enum TitleDisplayMode: Sendable {
        /// As usual.
        case automatic
        /// Small.
        case inline
        /// Large.
        case large
    }
}
