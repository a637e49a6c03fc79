/// The processor of Apple's devices that keeps keys to itself. There is none here: code that asks before it uses it takes its
/// other way, and code that does not ask does not compile.
public enum SecureEnclave {
    /// False.
    public static var isAvailable: Bool { false }
}
