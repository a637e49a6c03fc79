/// A file's path as its folder and its name there.
package struct FilePlace: Equatable {
    package let folder: String
    package let name: String

    package init(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let above = parts.dropLast().joined(separator: "/")
        folder = above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : above
        name = parts.last.map(String.init) ?? ""
    }
}
