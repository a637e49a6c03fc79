package import JSON

/// The positions of a manifest's identifiers.
package struct ManifestPlaces: Sendable {
    package var identifier = SourcePosition.start
    /// Task identifiers with the positions of their keys, in the order of the file.
    package var tasks: [(identifier: String, position: SourcePosition)] = []
    /// The positions of values that only the libraries can prove wrong, by their JSON paths.
    private(set) var positions: [String: SourcePosition] = [:]

    package init() {}

    /// The position of a path, or of the nearest one above it that is known.
    package func position(of path: String) -> SourcePosition {
        if let position = positions[path] { return position }
        guard let dot = path.lastIndex(of: ".") else { return .start }
        return position(of: String(path[..<dot]))
    }

    mutating func add(_ node: DocumentNode?) {
        if let node { positions[node.path.description] = node.value.position }
    }
}
