import JSON
package import TaskModel

/// What became of one manifest.
package struct ManifestResult: Sendable {
    /// The manifest's file, as it was named to us.
    package var file: String
    /// The application with its defaults filled in; nil when there is an error.
    package var application: ApplicationDefinition?
    /// Every fault of the file, in its order.
    package var diagnostics: [Diagnostic]
    /// Where the identifiers stand, for faults that come to light only beside other manifests.
    package var places: ManifestPlaces

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads manifests (DESIGN §8). Reading touches no file and no library.
package enum ManifestDecoder {
    /// Decodes one manifest and tells all its faults in one go; a syntax error stands alone.
    ///
    /// - Parameters:
    ///   - bytes: the file's content; more than `ManifestLimits.fileBytes` is refused.
    ///   - path: the file as the messages should name it.
    ///   - folder: the folder the file lies in (`$MANIFEST`).
    ///   - profile: where the wall-clock budget of a task comes from that names none.
    package static func decode(bytes: [UInt8], path: String, folder: String, profile: LimitsProfile) -> ManifestResult {
        var reader = ApplicationReader(file: path, profile: profile)
        var application = reader.read(bytes)
        application?.manifestPath = path
        application?.manifestFolder = folder
        return ManifestResult(
            file: path, application: reader.document.hasErrors ? nil : application,
            diagnostics: reader.document.diagnostics, places: reader.places)
    }
}
