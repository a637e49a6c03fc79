import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("More files and folders than are looked at")
struct FileBoundsTests {
    private static let (one, other, third) = (TaskIndex.first, TaskIndex.first.next, TaskIndex.first.next.next)

    private static func bounds(folders: Int = 1024, entries: Int = 1_000_000) -> FileBounds {
        var bounds = FileBounds()
        (bounds.folders, bounds.entries) = (folders, entries)
        return bounds
    }

    @Test func `A task that would be one too many is watched once a folder is let go`() throws {
        let folder = try Folder()
        let most = FileBounds().folders
        try folder.shell("seq 1 \(most) | xargs mkdir; mkdir inbox; echo > inbox/a")
        let watched = try WatchedFiles()
        let patterns = (1...most).map { folder.pattern("\($0)/*") }
        watched.wait(paths: patterns, of: Self.one)
        watched.wait(paths: [folder.pattern("inbox/*")], of: Self.other)
        try watched.expect(.paths, of: Self.other, sees: "more than 1024 folders are waited for")
        try watched.loop.run { watched.files.nextDeadline == .distantFuture }
        #expect(watched.changes == [])
        watched.wait(paths: Array(patterns.dropFirst()), of: Self.one)
        try watched.expect(["paths true"])
        try watched.expect(.paths, of: Self.other, sees: "inbox/a is there")
    }

    @Test func `Room goes to who has waited longest, and not to one that waits no more`() throws {
        let folder = try Folder()
        try folder.shell("mkdir a b c; echo > b/x; echo > c/x")
        let watched = try WatchedFiles(Self.bounds(folders: 1))
        watched.wait(paths: [folder.pattern("a/*")], of: Self.one)
        watched.wait(paths: [folder.pattern("b/*")], of: Self.other)
        watched.wait(paths: [folder.pattern("c/*")], of: Self.third)
        try watched.expect(.paths, of: Self.one, sees: "no file matches")
        // Its manifest is read again, and says the same: its folder stays its own.
        watched.wait(paths: [folder.pattern("a/y*")], of: Self.one)
        try watched.expect(.paths, of: Self.one, sees: "no file matches $STATE/a/y*")
        #expect(watched.files.words(.paths, of: Self.other)?.contains("more than 1 folders") == true)
        watched.files.set(nil, of: Self.other, at: Instant(nanoseconds: 0))
        watched.files.set(nil, of: Self.one, at: Instant(nanoseconds: 0))
        try watched.expect(["paths true"])
        #expect(watched.files.words(.paths, of: Self.third)?.contains("c/x is there") == true)
    }

    @Test func `Changes that the kernel could not tell are found by looking`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*.json")])
        try watched.expect(.paths, sees: "no file matches")
        // Each is made and closed: more announcements than are kept. That of the last one, the match, is lost.
        let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let most = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(most <= 200_000, "too many to be made")
        try folder.shell("cd inbox; seq \(most) | xargs touch; echo > last.json")
        try watched.expect(["paths true"])
        try watched.expect(.paths, sees: "inbox/last.json is there")
    }

    @Test func `A folder with too many entries never counts as one without a match`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; cd inbox; seq 101 | xargs touch")
        let watched = try WatchedFiles(Self.bounds(entries: 100))
        watched.wait(paths: [folder.pattern("inbox/*.json")], changed: [folder.pattern("inbox/*.json")])
        try watched.expect(.paths, sees: "inbox has more than 100 entries")
        try watched.expect(.changed, sees: "inbox has more than 100 entries")
        #expect(watched.files.marks(of: Self.one) == nil && watched.changes == [])
        // As many as are looked at.
        try folder.shell("mkdir full; cd full; seq 100 | xargs touch")
        watched.wait(paths: [folder.pattern("full/*.json")], of: Self.other)
        try watched.expect(.paths, of: Self.other, sees: "no file matches")
    }

    @Test func `A folder whose place a link takes has vanished`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; echo > inbox/a")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*")])
        try watched.expect(["paths true"])
        try folder.shell("mv inbox away; ln -s away inbox; echo > inbox/b")
        try watched.expect(["paths true", "paths false"])
        try folder.shell("rm inbox; mv away inbox")
        try watched.expect(["paths true", "paths false", "paths true"])
    }
}
