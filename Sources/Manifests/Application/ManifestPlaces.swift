package import JSON

/// Where the identifiers of a manifest stand.
package struct ManifestPlaces: Sendable {
    package var identifier = SourcePosition.start
    /// Task identifiers with the positions of their keys, in the order of the file.
    package var tasks: [(identifier: String, position: SourcePosition)] = []
}
