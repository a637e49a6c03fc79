package import Linux
package import TaskModel

/// Whether what tasks run is still as it was when their manifest was read: libraries and programs that appear, change or go.
///
/// The folders of their files are watched and scanned as those of files that tasks wait for (`FileConditions`).
///
/// *Thread*: the loop's. `onChange` is called from `serve` and `advance`.
package final class HandlerFiles: FolderSource<String> {
    private struct Owner {
        /// By the file's place; nil: it was not there.
        var marks: [FilePattern: FileMark?]
        /// What was announced last: it is not announced again, whatever a reading makes of it.
        var announced: [FilePattern: FileMark?]?
        /// When it was announced last without a scan.
        var last = Instant(nanoseconds: 0)
    }

    /// Between two announcements that do not wait for a scan: whoever writes a file all the time waits for the scans.
    private static let pause = TimeSpan.milliseconds(50)

    private let onChange: (String) -> Void
    private var owners: [String: Owner] = [:]

    /// - Parameter onChange: files of this manifest are not as they were.
    package init(
        _ bounds: FileBounds = FileBounds(), onChange: @escaping (_ manifest: String) -> Void
    ) throws(SystemError) {
        self.onChange = onChange
        try super.init(bounds)
        folders.patterns = { [unowned self] folder, waiting in
            var patterns: [FilePattern: Bool] = [:]
            for owner in waiting {
                for pattern in owners[owner]?.marks.keys ?? [:].keys where pattern.folder == folder {
                    patterns[pattern] = true
                }
            }
            return patterns
        }
        folders.isSeen = { [unowned self] in judge($0) }
        folders.isComplete = { [unowned self] in announce($1, in: $0, to: $2, at: $3) }
    }

    /// Sets what a manifest's tasks run, instead of what they ran before.
    ///
    /// - Parameter steps: to their files, as they were before the files were read. None: the manifest is gone, or runs nothing.
    package func set(_ steps: [PathStep], of manifest: String, at now: Instant) {
        let old = owners[manifest]
        var marks: [FilePattern: FileMark?] = [:]
        for step in steps {
            marks[FilePattern(exactly: step.name, in: step.folder)] = .some(step.facts.map(FileMark.init(exact:)))
        }
        owners[manifest] =
            marks.isEmpty
            ? nil : Owner(marks: marks, announced: old?.announced, last: old?.last ?? Instant(nanoseconds: 0))
        let (left, new) = (Set(old?.marks.keys.map(\.folder) ?? []), Set(marks.keys.map(\.folder)))
        // A folder that is watched already was maybe scanned before these files were read.
        for folder in new { folders.join(folder, manifest, at: now) }
        for folder in left.subtracting(new) { folders.leave(folder, manifest, at: now) }
        folders.settle()
    }

    /// A file is complete: the next run must have it, so nothing waits for a scan.
    private func announce(_ name: String, in folder: String, to waiting: Set<String>, at now: Instant) {
        let pattern = FilePattern(exactly: name, in: folder)
        for manifest in waiting {
            guard let owner = owners[manifest], owner.marks[pattern] != nil, now - owner.last >= Self.pause else {
                continue
            }
            owners[manifest]?.last = now
            onChange(manifest)
        }
    }

    private func judge(_ manifest: String) {
        guard let owner = owners[manifest] else { return }
        var seen: [FilePattern: FileMark?] = [:]
        for pattern in owner.marks.keys {
            // Unknown until every folder has been looked at since the files were read: an older result would be news of what is
            // known by now.
            guard folders.isCurrent(pattern.folder), let (found, fault) = folders.found(pattern), fault == nil else {
                return
            }
            seen[pattern] = .some(found.matches.first?.mark)
        }
        guard seen != owner.marks, seen != owner.announced else { return }
        owners[manifest]?.announced = seen
        onChange(manifest)
    }
}
