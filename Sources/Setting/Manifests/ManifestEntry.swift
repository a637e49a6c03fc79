package import Linux
package import Manifests
import TaskModel

/// One manifest file, as it was read last.
package final class ManifestEntry {
    let folder: String
    package let name: String
    /// The file as messages name it.
    package let path: String
    /// The result of reading; nil: the file cannot be read, as `unreadable` reports.
    package var result: ManifestResult?
    package var unreadable: String?
    /// Its bytes, when it was read last (`ManifestVersion.mark`); nil: it cannot be read.
    package var mark: Int64?
    /// Conflicts with other manifests. With any, no part of the manifest is used.
    package var conflicts: [Diagnostic] = []
    /// Faults of its libraries and time zones.
    var inspected: [Diagnostic] = []
    /// Tasks that cannot be used although the others are, each with its first fault.
    package var leftOut: [String: String] = [:]
    /// The steps to all its libraries and programs, as they were when it was read.
    package var steps: [PathStep] = []
    /// What can be used; nil: nothing.
    package var application: InstalledApplication?
    /// The application that it gave last, maybe in an earlier form of the file.
    var lastOffer: String?
    /// What of it was not used last, and why.
    var told: [String: String] = [:]
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

    /// Why its task of this identifier is not used; nil: it is, or there is none as far as the file can be read.
    package func fault(ofTask identifier: String) -> String? {
        if let fault = leftOut[identifier] { return fault }
        guard !isUsed, isAbout(identifier) else { return nil }
        return "the manifest is not used: \(fault)"
    }

    /// Of a file that is no manifest only its name says whose it is.
    private func isAbout(_ identifier: String) -> Bool {
        let own = [result?.application?.identifier ?? String(name.dropLast(".json".count))]
        let tasks = result?.places.tasks.map(\.identifier) ?? []
        return own.contains { identifier == $0 || identifier.hasPrefix($0 + ".") } || tasks.contains(identifier)
    }

    /// Why it, or tasks of it, are not used.
    package var unused: [String] { isUsed ? leftOut.sorted { $0.key < $1.key }.map(\.value) : [fault] }

    /// All its faults, for users.
    package var sentences: [String] {
        (diagnostics + conflicts).map { "\($0)" } + [unreadable].compactMap(\.self)
    }
}
