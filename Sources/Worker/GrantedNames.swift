import CNames

/// The addresses of the names that the manifest grants: getaddrinfo returns them.
enum GrantedNames {
    /// Without memory for it the former list stays.
    static func set(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        unsafe CTexts(lines).with { _ = unsafe cnames_set($0, lines.count) }
    }
}
