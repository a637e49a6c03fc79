import Manifests
import Setting

/// Reports faults of manifests.
enum BadManifests {
    /// Writes every fault, and gives the sentence to end with.
    static func failure(_ catalogue: Catalogue, _ terminal: Terminal) -> Failure {
        terminal.note(catalogue.diagnostics)
        // A path that cannot be read needs no further sentence.
        if catalogue.unreadable.count == 1, !catalogue.diagnostics.contains(where: { $0.severity == .error }) {
            return .badManifest(catalogue.unreadable[0])
        }
        for sentence in catalogue.unreadable { terminal.note(sentence) }
        return .badManifest(summary(catalogue) + "; correct the faults above", catalogue.diagnostics)
    }

    /// Notes that some of the manifests are not used.
    static func tell(_ catalogue: Catalogue, _ terminal: Terminal) {
        for sentence in catalogue.unreadable { terminal.note("taskhost: \(sentence)") }
        if catalogue.diagnostics.contains(where: { $0.severity == .error }) {
            terminal.note("taskhost: \(summary(catalogue)); see taskhost validate")
        }
    }

    /// How many of how many.
    private static func summary(_ catalogue: Catalogue) -> String {
        let files = Set(catalogue.diagnostics.filter { $0.severity == .error }.map(\.file))
        let bad = files.count + catalogue.unreadable.count
        return "there are bad manifests; \(bad) of \(max(catalogue.fileCount, bad))"
    }
}
