import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A link in a folder that an application may write")
struct PlantedLinkTests {
    /// An application that opens a file which it was granted.
    private func reader(of path: String, flags: Int32) -> ManifestText {
        ManifestText(
            foreign: "org.taskhost.reader",
            [
                "library": "libc.so.6", "symbol": "open", "signature": "i32(string, i32)", "arguments": [path, flags],
                "success": "result >= 0",
            ], budget: ["wallClock": "10s"])
    }

    /// A host of an ordinary user, whose applications all have the user's rights; `shared` is one's to write, and
    /// holds a link to the user's `private/secret`, or to the folder of that.
    private func station(
        isolation: String, right: String, flags: Int32, toFolder: Bool
    ) throws -> (Station, reader: ManifestText) {
        let user: UInt32? = Machine.isRoot ? Machine.nobody : nil
        let station = try Station(user: user)
        let secret = try station.folder.write("private/secret", Data("key".utf8)).path
        let shared = station.folder.file("shared").path
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: shared + "/list",
            withDestinationPath: toFolder ? station.folder.file("private").path : secret)
        if let user {
            for path in [secret, shared] { #expect(chown(path, user, user) == 0) }
        }
        try station.add(
            ManifestText(fixture: "fixtures.noop").with("permissions", ["write": [shared]]))
        let granted = shared + (toFolder ? "/list/secret" : "/list")
        let reader = reader(of: granted, flags: flags).with("isolation", isolation)
            .with("permissions", [right: [granted]])
        return (station, try station.add(reader))
    }

    @Test(
        "grants a neighbour nothing, whether its maker runs or not",
        arguments: ["zygote", "run", "exec"], [("read", false), ("read", true), ("write", true)])
    func planted(_ isolation: String, _ grant: (right: String, toFolder: Bool)) throws {
        let (station, reader) = try station(
            isolation: isolation, right: grant.right, flags: grant.right == "read" ? O_RDONLY : O_WRONLY,
            toFolder: grant.toFolder)
        for words in [["--all"], [reader.identifier]] {
            let report = try station.finish(station.start(["run", "--json"] + words))
            let run = try #require(report[reader.identifier], "\(report.command)")
            #expect(run.outcome == "failed", "\(run)")
            let log = try station.logs(run).text
            #expect(log.contains("is a link in a folder that an application may write"), "\(log)")
        }
        station.expectNothingLeft()
    }

    @Test("is followed elsewhere; validate and the log say what it grants")
    func honest() throws {
        let station = try Station()
        let file = try station.folder.write("data/file", Data("x".utf8)).path
        let link = station.folder.file("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let reader = try station.add(reader(of: link, flags: O_RDONLY).with("permissions", ["read": [link]]))
        let report = try station.run(reader.identifier)
        let run = try #require(report[reader.identifier])
        #expect(run.outcome == "succeeded", "\(run)")
        #expect(try station.logs(run).text.contains("the granted path \(link) is a link: it grants \(file)"))
        let validation = try Command.run(Places.taskhost, ["validate", station.manifestFolder.path])
        #expect(validation.succeeded)
        #expect((validation.output + validation.errors).contains("a symbolic link: it grants \(file)"), "\(validation)")
    }

    @Test("is missed where it is not there: validate says so", arguments: ["read", "write", "execute"])
    func absent(_ key: String) throws {
        let station = try Station()
        let (missing, there) = (station.folder.file("missing/file").path, station.folder.path)
        let task = "com.example.absent"
        try station.add(
            ManifestText(members: [
                "identifier": task, "permissions": [key: [missing, there, "$STATE/later"]],
                "tasks": [task: ["kind": "processing", "handler": ["command": ["/bin/true"]]]],
            ]))
        let validation = try Command.run(Places.taskhost, ["validate", station.manifestFolder.path])
        let words = (validation.output + validation.errors).split(separator: "\n").filter { $0.contains("warning") }
        #expect(validation.succeeded && words.count == 1, "\(validation)")
        #expect(
            words.first?.contains("$.permissions.\(key)[0]: found \"\(missing)\", which is not there") == true,
            "\(words)")
    }
}
