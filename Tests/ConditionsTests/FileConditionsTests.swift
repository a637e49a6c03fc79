import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("Files that tasks wait for")
struct FileConditionsTests {
    @Test func `A match that comes meets it, and the last that goes does not`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; echo > inbox/.part; echo > inbox/a.txt")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*.json")])
        try watched.expect(.paths, sees: "no file matches $STATE/inbox/*.json")
        #expect(watched.changes == [])
        try folder.shell("echo > inbox/.x.json; mv inbox/.x.json inbox/x.json")
        try watched.expect(["paths true"])
        try watched.expect(.paths, sees: "inbox/x.json is there")
        try folder.shell("rm inbox/x.json")
        try watched.expect(["paths true", "paths false"])
    }

    @Test func `A folder that vanishes and comes back is found again`() throws {
        let folder = try Folder()
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("deep/inbox/*")])
        try watched.expect(.paths, sees: "no file matches")
        try folder.shell("mkdir -p deep/inbox; echo > deep/inbox/a")
        try watched.expect(["paths true"])
        try folder.shell("rm -r deep")
        try watched.expect(["paths true", "paths false"])
        try folder.shell("mkdir -p made/inbox; echo > made/inbox/b; mv made deep")
        try watched.expect(["paths true", "paths false", "paths true"])
        try folder.shell("mv deep/inbox away")
        try watched.expect(["paths true", "paths false", "paths true", "paths false"])
    }

    @Test func `A link is no match, and none is followed to a folder`() throws {
        let folder = try Folder()
        try folder.shell(
            "mkdir inbox elsewhere; echo > elsewhere/a; ln -s ../elsewhere/a inbox/a; ln -s elsewhere linked")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*"), folder.pattern("linked/*")])
        try watched.expect(.paths, sees: "no file matches")
        try folder.shell("echo > inbox/b")
        try watched.expect(["paths true"])
        try watched.expect(.paths, sees: "inbox/b is there")
    }

    @Test(
        "What is written, made or moved there since has changed",
        arguments: ["echo more >> inbox/a", "echo > inbox/b", "echo > c; mv c inbox/c", "rm inbox/a; echo > inbox/a"])
    func change(script: String) throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; echo > inbox/a; touch -d '1 hour ago' inbox/a")
        let watched = try WatchedFiles()
        watched.wait(changed: [folder.pattern("inbox/*")])
        // Never run: any match counts.
        try watched.expect(["changed true"])
        let known = try #require(watched.files.marks(of: .first))
        #expect(known.count == 1 && FileMark.unpack(FileMark.pack(known)) == known)
        watched.files.setKnown(known, of: .first)
        try watched.expect(["changed true", "changed false"])
        try folder.shell(script)
        try watched.expect(["changed true", "changed false", "changed true"])
        try watched.expect(.changed, sees: "has changed")
        // As a host that comes back and reads what was known.
        let later = try WatchedFiles()
        later.wait(changed: [folder.pattern("inbox/*")], known: known)
        try later.expect(["changed true"])
    }

    @Test func `What goes, or was there already, has not changed`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; echo > inbox/a; echo > inbox/b")
        let watched = try WatchedFiles()
        watched.wait(changed: [folder.pattern("inbox/*")])
        try watched.expect(["changed true"])
        watched.files.setKnown(try #require(watched.files.marks(of: .first)), of: .first)
        try folder.shell("rm inbox/a; cat inbox/b; chmod 600 inbox/b")
        let later = try WatchedFiles()
        later.wait(changed: [folder.pattern("inbox/*")], known: try #require(watched.files.marks(of: .first)))
        try later.expect(.changed, sees: "has changed")
        #expect(later.changes == [])
    }

    @Test func `A folder is no match in itself`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/.*")])
        try watched.expect(.paths, sees: "no file matches $STATE/inbox/.*")
        try folder.shell("echo > inbox/.a")
        try watched.expect(["paths true"])
    }

    @Test func `While nothing changes there is no wake-up`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; echo > inbox/a")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*")], changed: [folder.pattern("inbox/*")])
        try watched.expect(["paths true", "changed true"])
        let wakes = watched.loop.turns
        try watched.loop.run(for: .milliseconds(300))
        #expect(watched.loop.turns <= wakes + 1)
        #expect(watched.files.nextDeadline == .distantFuture)
    }

    @Test func `A folder that no task waits for is not watched, though a look at it was under way`() throws {
        let (folder, other) = (try Folder(), try Folder())
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("*")])
        try watched.loop.run { watched.files.nextDeadline == .distantFuture }
        watched.wait(paths: [other.pattern("*")])
        // Looks are made one after the other.
        try watched.expect(.paths, sees: "no file matches")
        #expect(try watches(of: folder) == 0)
        #expect(try watches(of: other) == 1)
    }

    /// How many watches this process has on the folder.
    private func watches(of folder: Folder) throws -> Int {
        let number = try FileManager.default.attributesOfItem(atPath: folder.path)[.systemFileNumber] as? Int
        let inode = String(try #require(number), radix: 16)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").reduce(0) { sum, name in
            let facts = (try? String(contentsOfFile: "/proc/self/fdinfo/" + name, encoding: .utf8)) ?? ""
            let lines = facts.split(separator: "\n")
            return sum + lines.count { $0.hasPrefix("inotify ") && $0.contains(" ino:\(inode) ") }
        }
    }

    @Test func `More matches than are told apart are no change, and say so`() throws {
        let folder = try Folder()
        try folder.shell("mkdir inbox; cd inbox; seq 20000 | xargs touch")
        let watched = try WatchedFiles()
        watched.wait(paths: [folder.pattern("inbox/*")], changed: [folder.pattern("inbox/*")])
        try watched.expect(["paths true"])
        try watched.expect(.changed, sees: "more than 16384 files match")
        #expect(watched.files.marks(of: .first) == nil)
    }

    @Test(
        "Patterns match as in a shell",
        arguments: [
            ("*", "a", true), ("*", ".a", false), (".*", ".a", true), ("*.json", "a.json", true),
            ("*.json", ".json", false), ("a?c", "abc", true), ("a?c", "ac", false), ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "ab-b-a", false), ("abc", "abc", true), ("abc", "abcd", false), ("***", "", true),
            ("a[b]", "a[b]", true),
        ])
    func matching(pattern: String, name: String, isMatch: Bool) {
        let pattern = FilePattern(folder: "/", name: pattern, text: "")
        #expect(pattern.matches(Array(name.utf8)) == isMatch)
    }

    @Test func `A hostile pattern takes no longer than its length times the name's`() {
        let pattern = FilePattern(folder: "/", name: String(repeating: "*a", count: 2000) + "b", text: "")
        #expect(!pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 255)))
    }
}
