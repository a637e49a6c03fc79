import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

/// The file conditions of some tasks, in a loop.
final class WatchedFiles {
    let loop: TestLoop
    let files: FileConditions
    private let told: Told
    private final class Told { var changes: [String] = [] }

    init(_ bounds: FileBounds = FileBounds()) throws {
        let told = Told()
        files = try FileConditions(bounds) { told.changes.append("\($1.word) \($2)") }
        self.told = told
        loop = try TestLoop(files)
    }

    /// The reported changes, of all tasks.
    var changes: [String] { told.changes }

    func wait(
        paths: [FilePattern] = [], changed: [FilePattern] = [], known: Set<FileMark> = [], of task: TaskIndex = .first
    ) {
        var wish = FileConditions.Wish()
        (wish.paths, wish.changed, wish.known) = (paths, changed, known)
        files.set(wish, of: task, at: Instant(nanoseconds: 0))
    }

    /// Turns until as many changes have been reported.
    func expect(_ expected: [String]) throws {
        try loop.run { told.changes.count >= expected.count }
        #expect(told.changes == expected)
    }

    /// Turns until what is seen has the words.
    func expect(_ name: ConditionName, of task: TaskIndex = .first, sees words: String) throws {
        try loop.run { files.words(name, of: task)?.contains(words) == true }
    }
}

extension Folder {
    /// What matches the path in it; the last part may have wildcards.
    func pattern(_ rest: String) -> FilePattern {
        let path = path + "/" + rest
        let name = String(path.split(separator: "/").last ?? "")
        return FilePattern(folder: String(path.dropLast(name.utf8.count + 1)), name: name, text: "$STATE/" + rest)
    }

    func shell(_ script: String) throws {
        let command = try Command.run("sh", ["-ec", script], in: url)
        guard command.succeeded else { throw Problem("\(script): \(command.output)") }
    }
}
