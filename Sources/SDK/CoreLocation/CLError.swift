/// Why there is no location.
public struct CLError: Error, Equatable, Hashable, CustomNSError, Sendable {
    /// The errors that this module has of those of iOS.
    public enum Code: Int, Sendable {
        /// It is unknown now, and may be known later.
        case locationUnknown = 0
        /// The application may not know it.
        case denied = 1
        /// The network failed.
        case network = 2

        /// Whether an error is a `CLError` of this code.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? CLError)?.code == code }
    }

    /// What went wrong.
    public let code: Code
    /// - Parameter code: what went wrong.
    public init(_ code: Code) { self.code = code }

    /// `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// Its description: for `denied` what to do about it.
    public var errorUserInfo: [String: Any] {
        guard code == .denied else { return [:] }
        let sentence = "a worker of taskhost has no location; pass one in the task's settings or its payload"
        return [NSLocalizedDescriptionKey: sentence]
    }

    /// It is unknown now, and may be known later.
    public static var locationUnknown: Code { .locationUnknown }
    /// The application may not know it.
    public static var denied: Code { .denied }
    /// The network failed.
    public static var network: Code { .network }
}

/// The domain of errors about locations.
public let kCLErrorDomain = "kCLErrorDomain"
