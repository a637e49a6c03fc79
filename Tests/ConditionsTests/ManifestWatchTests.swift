import Conditions
import Foundation
import TaskModel
import TestSupport
import Testing

@Suite("Manifest folders")
struct ManifestWatchTests {
    /// A watch in a loop, and what it reported.
    private final class Watched {
        private(set) var reports: [[ManifestWatch.Change]] = []
        let loop: TestLoop

        init(_ folders: [String]) throws {
            let told = Told()
            loop = try TestLoop(try ManifestWatch(folders: folders) { told.owner?.reports.append($0) })
            told.owner = self
        }
        private final class Told { weak var owner: Watched? }

        /// Does something, and expects exactly one report, of these folders by their places.
        ///
        /// - Parameter names: those that are reported of each folder; nil: whatever is.
        func expectOne(_ folders: [Int] = [0], _ names: [Set<String>?]? = nil, _ body: () throws -> Void) throws {
            let before = reports.count
            try body()
            try loop.run { reports.count > before }
            try loop.run(for: .milliseconds(250))
            #expect(reports.count == before + 1)
            #expect(reports.last?.map(\.folder) == folders)
            if let names { #expect(reports.last?.map(\.names) == names) }
        }

        func expectNone(_ body: () throws -> Void) throws {
            let before = reports.count
            try body()
            try loop.run(for: .milliseconds(250))
            #expect(reports.count == before)
        }
    }

    private func shell(_ script: String, _ folder: String) throws {
        let command = try Command.run("sh", ["-ec", script], in: URL(filePath: folder))
        guard command.succeeded else { throw Problem("\(script): \(command.output)") }
    }

    @Test(
        "Every way to change a manifest is reported once",
        arguments: [
            ("echo {} > new.json", ["new.json"]),
            ("echo {} > .old.json.swp; mv .old.json.swp old.json", ["old.json"]),
            ("mv old.json renamed.json", ["old.json", "renamed.json"]),
            ("rm old.json", ["old.json"]),
            ("install -m 644 /dev/null old.json", ["old.json"]),
            ("ln -s old.json link.json", ["link.json"]),
            ("ln old.json hard.json", ["hard.json"]),
            ("chmod 600 old.json", ["old.json"]),
            ("touch old.json; echo x > other.txt", ["old.json"]),
            ("for i in $(seq 200); do echo {} > $i.json; done", Set((1...200).map { "\($0).json" })),
            ("mkdir sub.json", ["sub.json"]),
            ("chmod 700 .", nil),
            ("touch old.json; chmod 700 .; touch old.json", nil),
        ] as [(String, Set<String>?)])
    func changes(_ script: String, _ names: Set<String>?) throws {
        let folder = try Folder()
        // By another process: a program that another test starts holds what is open here for a moment, and with that the
        // announcement of its end (IN_CLOSE_WRITE).
        try shell("echo {} > old.json", folder.path)
        let watched = try Watched([folder.path])
        try watched.expectOne([0], [names]) { try shell(script, folder.path) }
    }

    @Test("Other files cause no reload")
    func others() throws {
        let folder = try Folder()
        let watched = try Watched([folder.path])
        try watched.expectNone { try shell("echo x > notes.txt; mkdir data; rm notes.txt", folder.path) }
    }

    @Test("A file that grows bit by bit is reported when it is complete, or after a second")
    func settling() throws {
        let folder = try Folder()
        let watched = try Watched([folder.path])
        try watched.expectOne {
            try shell("for i in 1 2 3 4 5; do echo x >> a.json; done", folder.path)
        }
        // One that never rests: a report comes all the same.
        let writer = try Program(
            "timeout", ["20", "sh", "-c", "while :; do echo x >> a.json; sleep 0.02; done"], in: folder.url)
        let before = watched.reports.count
        try watched.loop.run() { watched.reports.count > before }
        writer.signalGroup(9)
    }

    @Test("A folder that is moved away, replaced, removed, or comes later is followed by its name")
    func places() throws {
        let root = try Folder()
        try FileManager.default.createDirectory(at: root.file("m"), withIntermediateDirectories: true)
        let path = root.file("m").path
        let watched = try Watched([path])
        try watched.expectOne { try shell("mv m away", root.path) }
        try watched.expectNone { try shell("echo {} > away/a.json", root.path) }
        try watched.expectOne { try shell("mkdir m", root.path) }
        try watched.expectOne { try shell("echo {} > m/a.json", root.path) }
        try watched.expectOne { try shell("rm -r m; mkdir m; echo {} > m/b.json", root.path) }
        try watched.expectOne { try shell("rm -r m", root.path) }
        try watched.expectOne { try shell("ln -s away m", root.path) }
        try watched.expectOne { try shell("echo {} > away/c.json", root.path) }
    }

    @Test("A folder whose parents do not exist yet is found when they come")
    func missing() throws {
        let root = try Folder()
        let path = root.file("a/b/c/manifests").path
        let watched = try Watched([path, root.path])
        try watched.expectNone { try shell("mkdir other", root.path) }
        let before = watched.reports.count
        try shell("mkdir -p a/b/c/manifests", root.path)
        try watched.loop.run { watched.reports.count > before }
        try watched.loop.run(for: .milliseconds(250))
        try watched.expectOne { try shell("echo {} > a/b/c/manifests/x.json", root.path) }
        try watched.expectOne([0, 1], [["x.json"], ["y.json"]]) {
            try shell("echo {} > a/b/c/manifests/x.json; echo {} > y.json", root.path)
        }
    }

    @Test("A path that is relative, or goes round, is followed as well")
    func relative() throws {
        let root = try Folder()
        let here = FileManager.default.currentDirectoryPath
        let up = String(repeating: "../", count: here.split(separator: "/").count)
        let path = up + root.path.dropFirst() + "/./later"
        let watched = try Watched([path])
        try watched.expectOne { try shell("mkdir later", root.path) }
        try watched.expectOne { try shell("echo {} > later/x.json", root.path) }
        try watched.expectOne { try shell("rm -r later", root.path) }
    }

    @Test("More changes than the kernel remembers are one report, of everything")
    func overflow() throws {
        let folder = try Folder()
        let watched = try Watched([folder.path])
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = (Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 16_384) + 100
        try #require(count < 100_000)
        let before = watched.reports.count
        // Each touch is one announcement at least; names alternate, since equal ones in a row are merged.
        try shell("for i in $(seq \(count / 2)); do : > a.txt; : > b.txt; done; rm a.txt b.txt", folder.path)
        try watched.loop.run { watched.reports.count > before }
        #expect(watched.reports.last == [ManifestWatch.Change(folder: 0, names: nil)])
    }
}
