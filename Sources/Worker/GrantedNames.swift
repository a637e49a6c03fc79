import CNames

/// What the names that the manifest grants stand for: getaddrinfo answers with it.
enum GrantedNames {
    /// Without memory for it the former list stays.
    static func set(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        unsafe CTexts(lines).with { _ = unsafe cnames_set($0, lines.count) }
    }
}
