/// Patterns of `requires.paths` and `requires.changed`: paths as in `permissions`, whose last part may contain `*` and `?`.
enum PatternSyntax {
    /// Why a text is not a pattern, and what to do; nil when it is one.
    static func fault(_ pattern: String) -> (expected: String, hint: String?)? {
        if let fault = PathSyntax.fault(pattern) { return fault }
        let parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isStar = { (byte: UInt8) in byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") }
        if parts.dropLast().contains(where: { $0.contains(where: isStar) }) {
            return ("\"*\" and \"?\" in the last part only", "write one pattern for each folder")
        }
        guard parts.count > 1, let last = parts.last, !last.isEmpty, !last.elementsEqual(".".utf8) else {
            return ("a file's name, or a pattern for it, behind the folder", "write \"…/*\" for all of a folder")
        }
        return nil
    }

    /// Whether a granted path covers a pattern: it is the folder, one above it, or the very path.
    static func covers(_ grant: String, _ pattern: String) -> Bool {
        func parts(_ path: String) -> [Substring.UTF8View] {
            path[...].utf8.split(separator: UInt8(ascii: "/"))
                .filter { !$0.elementsEqual(".".utf8) }
        }
        let (granted, wanted) = (parts(grant), parts(pattern))
        return granted.count <= wanted.count && grant.hasPrefix("/") == pattern.hasPrefix("/")
            && zip(granted, wanted).allSatisfy { $0.elementsEqual($1) }
    }
}
