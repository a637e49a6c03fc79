import JSON
package import TaskModel

/// The result for one manifest.
package struct ManifestResult: Sendable {
    /// The manifest's file, as it was named to us.
    package var file: String
    /// The application with its defaults filled in; nil when there is an error.
    package var application: ApplicationDefinition?
    /// Every fault of the file, in its order.
    package var diagnostics: [Diagnostic]
    /// The positions of identifiers, for conflicts with other manifests.
    package var places: ManifestPlaces

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads manifests. Reading touches no file and no library.
package enum ManifestDecoder {
    /// Decodes one manifest and reports all its faults at once; a syntax error is reported alone.
    ///
    /// - Parameters:
    ///   - bytes: the file's content; more than `ManifestLimits.fileBytes` is refused.
    ///   - path: the file as the messages should name it.
    ///   - folder: the file's folder (`$MANIFEST`).
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
