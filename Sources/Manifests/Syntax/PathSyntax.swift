/// Paths of `permissions`.
package enum PathSyntax {
    /// The words that a path may begin with. The host replaces them.
    package static let variables = ["$MANIFEST", "$STATE", "$CACHE"]
    /// Bytes at most (PATH_MAX of path_resolution(7), less its NUL).
    package static let maximumLength = 4095

    /// Why a text is not a path that can be granted, and what to do; nil when it is one.
    package static func fault(_ path: String) -> (expected: String, hint: String?)? {
        let expected = "an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE"
        // Bytes, not characters: "/" with a combining mark after it is one character, but a slash to the kernel.
        let components = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let first = components.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard path.utf8.first == UInt8(ascii: "/") || variables.contains(first) else {
            if first.hasPrefix("$") { return (expected, Nearest.hint(for: first, among: variables)) }
            if first.hasPrefix("~") { return (expected, "a home folder is not known here; spell it out") }
            return (expected, "write \"$MANIFEST/…\" for a path beside the manifest")
        }
        if components.contains(where: { $0.elementsEqual("..".utf8) }) {
            return ("a path without \"..\"", "name the folder itself")
        }
        return nil
    }
}
