/// A question to the user, which is never asked.
public struct Alert {
    /// - Parameters:
    ///   - title: what it says.
    ///   - message: more words.
    ///   - dismissButton: ends it.
    public init(title: Text, message: Text? = nil, dismissButton: Button? = nil) {}
    /// - Parameters:
    ///   - title: what it says.
    ///   - message: more words.
    ///   - primaryButton: an answer.
    ///   - secondaryButton: another answer.
    public init(title: Text, message: Text? = nil, primaryButton: Button, secondaryButton: Button) {}

    /// An answer to an alert. Its closure is never called.
    public struct Button {
        /// An answer as usual.
        public static func `default`(_ label: Text, action: (() -> Void)? = {}) -> Button { Button() }
        /// Leaves things as they are.
        public static func cancel(_ label: Text, action: (() -> Void)? = {}) -> Button { Button() }
        /// Leaves things as they are.
        public static func cancel(_ action: (() -> Void)? = {}) -> Button { Button() }
        /// Deletes something.
        public static func destructive(_ label: Text, action: (() -> Void)? = {}) -> Button { Button() }
    }
}
