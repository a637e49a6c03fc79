/// The keys of a keyboard.
public enum UIKeyboardType: Int, Sendable {
    /// Usual.
    case `default` = 0
    /// Of ASCII.
    case asciiCapable = 1
    /// Numbers and marks.
    case numbersAndPunctuation = 2
    /// For addresses of pages.
    case URL = 3
    /// Digits.
    case numberPad = 4
    /// Digits as on a telephone.
    case phonePad = 5
    /// Names and digits.
    case namePhonePad = 6
    /// For addresses of mail.
    case emailAddress = 7
    /// Digits and a point.
    case decimalPad = 8
    /// For short messages.
    case twitter = 9
    /// For searches.
    case webSearch = 10
    /// Digits of ASCII.
    case asciiCapableNumberPad = 11
}

/// The key that ends a line.
public enum UIReturnKeyType: Int, Sendable {
    /// Usual.
    case `default` = 0
    /// Go.
    case go = 1
    /// Look for it with Google.
    case google = 2
    /// Join.
    case join = 3
    /// The next one.
    case next = 4
    /// A way.
    case route = 5
    /// Look for it.
    case search = 6
    /// Send.
    case send = 7
    /// Look for it with Yahoo.
    case yahoo = 8
    /// Done.
    case done = 9
    /// Call for help.
    case emergencyCall = 10
    /// Go on.
    case `continue` = 11
}

/// Which letters become capitals.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// None.
    case none = 0
    /// The first of each word.
    case words = 1
    /// The first of each sentence.
    case sentences = 2
    /// All.
    case allCharacters = 3
}

/// Whether words are corrected.
public enum UITextAutocorrectionType: Int, Sendable {
    /// As the system likes.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Whether words are checked.
public enum UITextSpellCheckingType: Int, Sendable {
    /// As the system likes.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// What a text is.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String
    /// - Parameter rawValue: its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A person's name.
    public static let name = UITextContentType(rawValue: "name")
    /// A user's name.
    public static let username = UITextContentType(rawValue: "username")
    /// A password.
    public static let password = UITextContentType(rawValue: "password")
    /// A password that is chosen.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A code for one time.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// An address of mail.
    public static let emailAddress = UITextContentType(rawValue: "email")
    /// A number of a telephone.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// An address of a page.
    public static let URL = UITextContentType(rawValue: "url")
}
