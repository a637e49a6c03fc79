/// Names of Swift classes with their modules, such as `Reader.SceneDelegate`.
enum ClassNameSyntax {
    static let expected = "a class with its module, such as \"Reader.SceneDelegate\""
    /// Bytes at most.
    static let maximumLength = 255

    /// Whether the text is the name of a module, and behind dots that of a class, maybe inside others.
    static func isClassName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2 && text.utf8.count <= maximumLength
            && parts.allSatisfy { part in
                guard let first = part.first, first.isLetter || first == "_" else { return false }
                return part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            }
    }
}
