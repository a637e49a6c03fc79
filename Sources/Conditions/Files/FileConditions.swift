package import Linux
package import TaskModel

/// Whether the files are there that tasks wait for, and whether they have changed.
///
/// Tasks share a watch for each folder, which is scanned when the kernel announces a change; without changes nothing is
/// done. Scans run on a thread, one at a time, with a limited number of entries, no sooner than a moment after a change, and
/// so far apart that they take a twentieth of the time.
///
/// *Thread*: the loop's. `onChange` is called from `set`, `setKnown`, `serve` and `advance`.
package final class FileConditions: FolderSource<TaskIndex> {
    /// The files that a task waits for.
    package struct Wish {
        /// A match of one of them exists.
        package var paths: [FilePattern] = []
        /// A match of one of them is not in `known`.
        package var changed: [FilePattern] = []
        /// The matches of `changed` when the task's last successful run started.
        package var known: Set<FileMark> = []
        package init() {}

        /// Those of its patterns, some more than once.
        fileprivate var folders: [String] { (paths + changed).map(\.folder) }

        fileprivate subscript(name: ConditionName) -> [FilePattern] { name == .paths ? paths : changed }
    }

    private struct Task {
        var wish: Wish
        var isMet: [ConditionName: Bool] = [:]
        var words: [ConditionName: String] = [:]
    }

    private static let names = [ConditionName.paths, .changed]

    private let onChange: (TaskIndex, ConditionName, Bool) -> Void
    private var tasks: [TaskIndex: Task] = [:]

    /// - Parameter onChange: a condition of a task is met, or is not any more.
    package init(
        _ bounds: FileBounds = FileBounds(),
        onChange: @escaping (_ task: TaskIndex, ConditionName, _ isMet: Bool) -> Void
    ) throws(SystemError) {
        self.onChange = onChange
        try super.init(bounds)
        folders.patterns = { [unowned self] in patterns(in: $0, of: $1) }
        folders.isSeen = { [unowned self] in judge($0) }
    }

    // MARK: Wishes

    /// Sets the files that a task waits for, instead of the former ones; nil: none. A condition that has not been scanned is
    /// not met.
    package func set(_ wish: Wish?, of task: TaskIndex, at now: Instant) {
        let old = tasks[task]?.wish.folders ?? []
        tasks[task] = wish.map { Task(wish: $0) }
        let new = wish?.folders ?? []
        // Join first, so that a folder that the task keeps is not released to another task.
        for folder in new { folders.join(folder, task, at: now) }
        for folder in Set(old).subtracting(new) { folders.leave(folder, task, at: now) }
        judge(task)
        folders.settle()
    }

    private func patterns(in folder: String, of waiting: Set<TaskIndex>) -> [FilePattern: Bool] {
        var patterns: [FilePattern: Bool] = [:]
        for wish in waiting.compactMap({ tasks[$0]?.wish }) {
            for pattern in wish.paths where pattern.folder == folder {
                patterns[pattern] = patterns[pattern] ?? false
            }
            for pattern in wish.changed where pattern.folder == folder { patterns[pattern] = true }
        }
        return patterns
    }

    /// The matches of the last scan; nil: unknown.
    package func marks(of task: TaskIndex) -> Set<FileMark>? {
        guard let wish = tasks[task]?.wish, !wish.changed.isEmpty else { return nil }
        var marks: Set<FileMark> = []
        for pattern in wish.changed {
            guard let found = folders.found(pattern), found.fault == nil, !found.found.isCut else { return nil }
            for match in found.found.matches { marks.insert(match.mark) }
        }
        return marks
    }

    /// The matches when the task's last successful run started; nil: it waits for no change.
    package func known(of task: TaskIndex) -> Set<FileMark>? {
        tasks[task].flatMap { $0.wish.changed.isEmpty ? nil : $0.wish.known }
    }

    /// A run that started with these matches has succeeded.
    package func setKnown(_ marks: Set<FileMark>, of task: TaskIndex) {
        guard tasks[task] != nil else { return }
        tasks[task]?.wish.known = marks
        judge(task, .changed)
    }

    /// The observed state of a condition, for display; nil: the task does not wait for it.
    package func words(_ name: ConditionName, of task: TaskIndex) -> String? { tasks[task]?.words[name] }

    // MARK: Judging

    private func judge(_ task: TaskIndex) {
        guard let wish = tasks[task]?.wish else { return }
        for name in Self.names where !wish[name].isEmpty { judge(task, name) }
    }

    private func judge(_ task: TaskIndex, _ name: ConditionName) {
        guard let wish = tasks[task]?.wish else { return }
        var words: String?
        var isMet = false
        for pattern in wish[name] {
            let (match, fault) = verdict(pattern, name, wish.known)
            guard let match else {
                words = fault ?? words
                continue
            }
            isMet = true
            words = pattern.folder + "/" + match + (name == .changed ? " has changed" : " is there")
            break
        }
        let texts = wish[name].map(\.text).joined(separator: ", ")
        tasks[task]?.words[name] =
            words ?? (name == .changed ? "no file of \(texts) has changed" : "no file matches \(texts)")
        guard tasks[task]?.isMet[name] ?? false != isMet else { return }
        tasks[task]?.isMet[name] = isMet
        onChange(task, name, isMet)
    }

    /// The match that counts, or why it is unknown.
    private func verdict(
        _ pattern: FilePattern, _ name: ConditionName, _ known: Set<FileMark>
    ) -> (match: String?, fault: String?) {
        guard folders.contains(pattern.folder) else {
            return (nil, "more than \(folders.bounds.folders) folders are waited for; \(pattern.text) is not watched")
        }
        guard let (found, fault) = folders.found(pattern) else {
            return (nil, "\(pattern.text) has not been looked at yet")
        }
        if name == .paths { return (found.first, fault) }
        if found.isCut {
            return (nil, "more than \(FolderLook.mostMarks) files match \(pattern.text); narrow it")
        }
        return (found.matches.first { !known.contains($0.mark) }?.name, fault)
    }
}
