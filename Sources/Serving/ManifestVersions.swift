import Host
import Linux
import Record
import Setting
import TaskModel

/// Keeps the manifests in the record, whenever one is not as it was, also while no host ran. Thread: the loop's.
final class ManifestVersions {
    private unowned let host: Host
    /// The mark of each file, as the record has it; nil: not read yet.
    private var marks: [String: Int64]?
    /// The host has run before it kept manifests: what it finds first may be old.
    private var areOld = false

    init(of host: Host) { self.host = host }

    /// A file was read.
    func saw(_ entry: ManifestEntry) {
        guard let mark = entry.mark else { return }
        guard known()[entry.path] != mark else { return }
        marks?[entry.path] = mark
        // Read once more: nobody keeps the text of thousands of files for the few that change. What it is by now counts.
        let text = try? FileText.read(entry.path, limit: ManifestVersion.longestText)
        host.note(
            ManifestVersion(
                path: entry.path, at: areOld ? Timestamp(nanoseconds: 0) : host.moment.time, mark: mark,
                text: text.map { Array($0.utf8) }))
    }

    /// These are all files that there are.
    func areAll(_ paths: Set<String>) {
        for path in known().keys where !paths.contains(path) { isGone(path) }
    }

    /// The first reading is complete: what is found from now on is new.
    func didReadAll() {
        areOld = false
    }

    /// A file was removed.
    func isGone(_ path: String) {
        guard known()[path] != nil else { return }
        marks?[path] = nil
        host.note(ManifestVersion(path: path, at: host.moment.time, mark: nil, text: nil))
    }

    private func known() -> [String: Int64] {
        if let marks { return marks }
        let found = (try? host.history.manifestMarks()) ?? [:]
        areOld = found.isEmpty && (try? host.history.newestRun()) != .some(nil)
        marks = found
        return found
    }
}
