import Host
import Manifests

/// Reports faults of manifests.
enum BadManifests {
    /// Writes every fault, and gives the sentence to end with.
    static func failure(_ catalogue: Catalogue, _ terminal: Terminal) -> Failure {
        for diagnostic in catalogue.diagnostics { terminal.note("\(diagnostic)") }
        // A path that cannot be read needs no further sentence.
        if catalogue.unreadable.count == 1, !catalogue.diagnostics.contains(where: { $0.severity == .error }) {
            return Failure(ExitStatus.badManifest, catalogue.unreadable[0])
        }
        for sentence in catalogue.unreadable { terminal.note(sentence) }
        return Failure(ExitStatus.badManifest, summary(catalogue) + "; correct the faults above")
    }

    /// How many of how many.
    static func summary(_ catalogue: Catalogue) -> String {
        let files = Set(catalogue.diagnostics.filter { $0.severity == .error }.map(\.file))
        let bad = files.count + catalogue.unreadable.count
        return "there are bad manifests; \(bad) of \(max(catalogue.fileCount, bad))"
    }
}
