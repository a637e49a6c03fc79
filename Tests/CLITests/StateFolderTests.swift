import Foundation
import Glibc
import Testing

@Suite("A folder named as state")
struct StateFolderTests {
    /// Names, owners and modes of all that is in a folder, and its own.
    private func sight(of folder: URL) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        return try ([""] + names).map { name in
            var facts = stat()
            guard lstat(folder.path + "/" + name, &facts) == 0 else { throw Problem("lstat \(name)") }
            return "\(name) \(String(facts.st_mode, radix: 8)) \(facts.st_uid):\(facts.st_gid) \(facts.st_size)"
        }
    }

    static let looking = [
        ["list"], ["history"], ["show", "01M8083EVT"], ["logs", "01M8083EVT"], ["forecast"], ["pending"],
        ["why", "com.example.cli"], ["journal"], ["device"],
    ]

    private func look(_ words: [String], _ folder: Folder) throws -> Tool {
        let takesManifests = ["list", "forecast", "pending", "why", "journal", "device"].contains(words[0])
        return try Tool.run(
            words + ["--state", folder.file("state").path]
                + (takesManifests ? ["--manifests", folder.file("m").path] : []))
    }

    @Test("that holds something else is refused and left as it is", arguments: looking + [["run", "com.example.cli"]])
    func foreign(_ words: [String]) throws {
        let folder = try Plugin.folder()
        try folder.write("state/passwd", "root")
        try folder.write("state/lock", "")
        try folder.setMode(0o755, of: "state")
        let before = try sight(of: folder.file("state"))
        let tool =
            try words[0] == "run"
            ? Tool.run(words + ["--manifests", folder.file("m").path, "--state", folder.file("state").path])
            : look(words, folder)
        tool.expectSentence(["this folder holds files and no record", folder.file("state").path], status: 73)
        #expect(try sight(of: folder.file("state")) == before)
    }

    @Test("is not made by verbs that only look", arguments: looking)
    func missing(_ words: [String]) throws {
        let folder = try Plugin.folder()
        let before = try sight(of: folder.url)
        let tool = try look(words, folder)
        #expect([0, 64].contains(tool.status), "\(tool.errors)")
        #expect(try sight(of: folder.url) == before)
    }

    @Test("stays empty when verbs only look", arguments: looking)
    func empty(_ words: [String]) throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("state/lost+found")
        let before = try sight(of: folder.url)
        let tool = try look(words, folder)
        #expect([0, 64].contains(tool.status), "\(tool.errors)")
        #expect(try sight(of: folder.url) == before)
    }

    @Test("keeps its mode when it is there, and is 0711 when it is made", .plainBuild, arguments: [nil, 0o755, 0o751])
    func modes(_ mode: Int?) throws {
        let folder = try Plugin.folder()
        if let mode {
            try folder.makeFolder("state/lost+found")
            try folder.setMode(mode, of: "state")
        }
        #expect(try folder.run().status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("state").path)
        #expect((attributes[.posixPermissions] as? Int) == mode ?? 0o711)
    }

    @Test("is taken up again where a start was cut short", .plainBuild)
    func again() throws {
        let folder = try Plugin.folder()
        try folder.write("state/lock", "")
        #expect(try folder.run().status == 0)
    }

    @Test(
        "whose record is missing or empty is refused until a new one is wished for", .plainBuild,
        arguments: [false, true])
    func withoutRecord(_ isEmpty: Bool) throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        try FileManager.default.moveItem(at: folder.file("state/taskhost.db"), to: folder.file("state/damaged"))
        try? FileManager.default.removeItem(at: folder.file("state/taskhost.db-wal"))
        if isEmpty { try folder.write("state/taskhost.db", "") }
        let wish = folder.file("state/new-record")
        for _ in 0..<2 {
            try folder.run().expectSentence(["is missing or empty", "a backup", "touch \(wish.path)"], status: 73)
        }
        try folder.write("state/new-record", "")
        #expect(try folder.run().status == 0)
        #expect(!FileManager.default.fileExists(atPath: wish.path))
        #expect(try folder.run().status == 0)
    }

    @Test("of requests alone is refused without its record", .plainBuild)
    func withoutRequests() throws {
        let folder = try Plugin.folder()
        let submission = ["submit", "com.example.cli", "--earliest", "+7d", "--manifests", folder.file("m").path]
        #expect(try folder.ask(submission).status == 0)
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: folder.file("state/taskhost.db" + end))
        }
        try folder.ask(submission).expectSentence(["is missing or empty", "a backup", "new-record"], status: 73)
        #expect(!FileManager.default.fileExists(atPath: folder.file("state/taskhost.db").path))
    }

    @Test("whose record others may write is refused", .plainBuild)
    func writable() throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        try folder.setMode(0o602, of: "state/taskhost.db")
        try folder.run().expectSentence(["everybody may write into", "taskhost.db", "chmod o-w"], status: 73)
    }

    @Test("may be reached by a link of the host's user", .plainBuild)
    func link() throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("real")
        try FileManager.default.createSymbolicLink(at: folder.file("state"), withDestinationURL: folder.file("real"))
        #expect(try folder.run().status == 0)
        #expect(try folder.ask("history", "--json").status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.file("real/taskhost.db").path))
    }

    @Test("whose record or lock is a FIFO, a link or a folder is refused", arguments: ["taskhost.db", "lock"])
    func special(_ name: String) throws {
        let makes: [(String, (String) -> Void)] = [
            ("FIFO", { _ = mkfifo($0, 0o600) }),
            ("link", { _ = symlink("victim", $0) }),
            ("folder", { _ = mkdir($0, 0o700) }),
        ]
        for (kind, make) in makes {
            let folder = try Plugin.folder()
            try folder.makeFolder("state/applications")
            try folder.write("state/victim", "victim")
            if name == "lock" {
                try folder.write("state/taskhost.db", "")
            }
            make(folder.file("state/\(name)").path)
            try folder.run().expectSentence([folder.file("state/\(name)").path], status: 73)
            #expect(try Data(contentsOf: folder.file("state/victim")) == Data("victim".utf8), "\(kind)")
            if name == "taskhost.db" {
                try folder.ask("history").expectSentence([folder.file("state/\(name)").path], status: 73)
            }
        }
    }
}

@Suite("A state folder that another user can change", .enabled(if: Places.isRoot, "only root gives files away"))
struct ForeignStateFolderTests {
    private static let stranger: UInt32 = 65_533

    private func give(_ url: URL, group: UInt32 = stranger) throws {
        guard lchown(url.path, Self.stranger, group) == 0 else { throw Problem("chown \(url.path)") }
    }

    @Test("is refused by root when it is a stranger's, or below a stranger's", arguments: ["state", "."])
    func owner(_ name: String) throws {
        let folder = try Plugin.folder()
        try folder.write("victim", "victim")
        try folder.makeFolder("state/applications")
        try FileManager.default.createSymbolicLink(
            at: folder.file("state/lock"), withDestinationURL: folder.file("victim"))
        try folder.write("state/taskhost.db", "")
        try give(folder.file(name))
        try folder.run().expectSentence(["belongs to user \(Self.stranger)", "chown"], status: 73)
        #expect(try Data(contentsOf: folder.file("victim")) == Data("victim".utf8))
    }

    @Test("is refused when a stranger's link leads to it")
    func link() throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("real")
        try FileManager.default.createSymbolicLink(at: folder.file("state"), withDestinationURL: folder.file("real"))
        try give(folder.file("state"))
        try folder.run().expectSentence(["belongs to user \(Self.stranger)"], status: 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("real").path).isEmpty)
    }

    @Test(
        "is refused by root when a group or all users may write there",
        arguments: [(0o775, "chmod g-w"), (0o777, "chmod o-w")], ["state", "above"])
    func mode(_ mode: (Int, String), _ name: String) throws {
        let folder = try Plugin.folder()
        try folder.makeFolder("above/state")
        try folder.makeFolder("state")
        try folder.setMode(mode.0, of: name)
        let state = folder.file(name == "above" ? "above/state" : "state").path
        let tool = try Tool.run("run", "com.example.cli", "--manifests", folder.file("m").path, "--state", state)
        tool.expectSentence([folder.file(name).path, mode.1], status: 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
    }

    @Test(
        "never lets root follow what stands for the applications' folders", .plainBuild,
        arguments: [
            "applications", "applications/com.example.cli", "applications/com.example.cli/state",
            "applications/com.example.cli/cache",
        ])
    func applications(_ name: String) throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        try folder.makeFolder("victim")
        try FileManager.default.removeItem(at: folder.file("state/\(name)"))
        try FileManager.default.createSymbolicLink(
            at: folder.file("state/\(name)"), withDestinationURL: folder.file("victim"))
        let tool = try folder.run()
        #expect(tool.status == (name == "applications" ? 73 : 17), "\(tool.errors)")
        let victim = try FileManager.default.attributesOfItem(atPath: folder.file("victim").path)
        #expect(victim[.ownerAccountID] as? Int == 0 && victim[.posixPermissions] as? Int == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("victim").path).isEmpty)
    }
}
