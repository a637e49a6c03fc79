import Linux
package import Manifests
import TaskModel

/// One manifest file, as it was read last.
package final class ManifestEntry {
    let folder: String
    let name: String
    /// The file as messages name it.
    package let path: String
    /// The result of reading; nil: the file cannot be read, as `unreadable` reports.
    package var result: ManifestResult?
    package var unreadable: String?
    /// Conflicts with other manifests. With any, no part of the manifest is used.
    package var conflicts: [Diagnostic] = []
    /// Faults of its libraries and time zones.
    var inspected: [Diagnostic] = []
    /// What can be used; nil: nothing.
    package var application: InstalledApplication?
    /// The application that it gave last, maybe in an earlier form of the file.
    var lastOffer: String?
    /// It was read, or its conflicts changed, since its libraries were inspected.
    var isDirty = true
    /// The listing that it was in last.
    package var listing: UInt64 = 0

    init(folder: String, name: String) {
        self.folder = folder
        self.name = name
        path = folder == "." ? name : folder + "/" + name
    }

    /// Whether the folder has an entry of this name, wherever it leads.
    var isThere: Bool { (try? FileSystem.facts(ofPath: path)) != nil }

    /// The identifiers that it claims. While they stay, no other manifest is concerned.
    var claims: [String] {
        guard let result, let application = result.application else { return [] }
        return [application.identifier] + result.places.tasks.map(\.identifier)
    }

    /// Why it cannot be used: its first fault, with the place, and the number of further ones.
    var fault: String {
        let errors = (diagnostics + conflicts).filter { $0.severity == .error }
        guard let first = errors.first else { return unreadable ?? "\(path) cannot be used" }
        return errors.count > 1 ? "\(first); and \(errors.count - 1) more" : "\(first)"
    }

    package var diagnostics: [Diagnostic] { (result?.diagnostics ?? []) + inspected }

    /// Whether the host uses it.
    package var isUsed: Bool { application != nil }

    /// All its faults, for users.
    package var sentences: [String] {
        (diagnostics + conflicts).map { "\($0)" } + [unreadable].compactMap(\.self)
    }
}
