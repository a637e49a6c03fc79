/// How lines that are too long are broken.
public enum NSLineBreakMode: Int, Sendable {
    /// Between words.
    case byWordWrapping = 0
    /// Between characters.
    case byCharWrapping = 1
    /// At the edge.
    case byClipping = 2
    /// The beginning is left out.
    case byTruncatingHead = 3
    /// The end is left out.
    case byTruncatingTail = 4
    /// The middle is left out.
    case byTruncatingMiddle = 5
}

/// How text is placed.
public enum NSTextAlignment: Int, Sendable {
    /// To the left.
    case left = 0
    /// In the middle.
    case center = 1
    /// To the right.
    case right = 2
    /// To both sides.
    case justified = 3
    /// As the script is written.
    case natural = 4
}
