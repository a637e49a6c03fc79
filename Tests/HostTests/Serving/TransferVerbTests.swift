import Foundation
import TestSupport
import Testing

@Suite("taskhost transfers on a daemon")
struct TransferVerbTests {
    private static let application = "org.taskhost.loading"
    private let web: WebServer
    private let station: Station

    init() throws {
        web = try WebServer()
        station = try Station()
        let stage = try ManifestText(stage: Self.application, ["quick": "stage_tally"])
        try station.add(
            ManifestText(
                members: stage.members.merging(["permissions": ["network": ["loopback:\(web.port())"]]]) { $1 }))
    }

    private func transfers(_ words: String...) throws -> Command {
        try station.start(["transfers"] + words, manifests: false).finish()
    }

    private func add(_ url: String, _ words: String...) throws -> Command {
        try station.start(["transfers", "add", url, "--for", Self.application] + words, manifests: false)
            .finish()
    }

    private func document(_ command: Command) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any], "\(command)")
    }

    @Test("add --wait ends when the file is there, and nothing leaks its secrets")
    func add() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try web.add("a.bin", bytes)
        let daemon = try Daemon(station)
        let url = web.url("a.bin").replacingOccurrences(of: "http://", with: "http://ada:urlsecret@")
        let added = try add(url + "?token=querysecret", "--header", "X-Key: headersecret", "--wait", "--json")
        #expect(added.status == 0, "\(added)")
        let transfer = try document(added)
        #expect(transfer["url"] as? String == web.url("a.bin") && transfer["status"] as? Int == 200)
        let file = try #require(transfer["file"] as? String)
        #expect(try Array(Data(contentsOf: URL(filePath: file))) == bytes)
        try daemon.wait(for: "transfer.ended", Self.application)
        #expect(try add(web.url("none"), "--wait").status == 1, "404")
        let wrong = try add(web.url("a.bin"), "--wait", "--sha256", String(repeating: "0", count: 64))
        #expect(wrong.status == 1 && wrong.errors.contains("SHA-256"), "\(wrong)")
        #expect(try document(try transfers("show", "3", "--json"))["received"] as? Int == 300_000, "what came is told")

        var told = daemon.seen + added.output + added.errors
        for words in [["--all"], ["--all", "--json"], ["show", "1"]] {
            told += try station.start(["transfers"] + words, manifests: false).finish().output
        }
        told += try station.start(["journal", "--json"], manifests: false).finish().output
        #expect(told.contains("transferAdded") && told.contains("transfer.added"))
        #expect(!told.contains("secret"), "\(told)")
        #expect(try daemon.stop().status == 0)
        // The row of what is delivered has none either.
        let record = try Data(contentsOf: URL(filePath: station.state + "/taskhost.db"))
        #expect(record.range(of: Data("headersecret".utf8)) == nil)
    }

    @Test("What a user has paused stays so over a restart, and continues when it is resumed")
    func pause() throws {
        try web.add("b.bin", [UInt8](repeating: 7, count: 400_000))
        let daemon = try Daemon(station)
        // Four seconds' worth: it is under way when it is paused.
        let added = try document(try add(web.url("throttled/b.bin") + "?rate=100k", "--json"))
        let id = try #require(added["id"] as? Int)
        #expect(try transfers("pause", "\(id)").output.contains("transfer \(id) of \(Self.application): paused"))
        #expect(try daemon.stop().status == 0)

        let next = try Daemon(station)
        let held = try document(try transfers("show", "\(id)", "--json"))
        #expect(held["waitsFor"] as? String == "person", "\(held)")
        #expect(try transfers("resume", "\(id)").status == 0)
        try next.wait(for: "transfer.ended", Self.application)
        let done = try document(try transfers("show", "\(id)", "--json"))
        #expect(done["error"] is NSNull && done["received"] as? Int == 400_000, "\(done)")
        let late = try transfers("cancel", "\(id)")
        #expect(late.status == 64 && late.errors.contains("the transfer is over"), "\(late)")
        #expect(try next.stop().status == 0)
    }

    @Test("An unknown application is named, with a daemon and without")
    func unknown() throws {
        let words = ["transfers", "--for", "org.taskhost.loadin", "--manifests", station.manifestFolder.path]
        let alone = try station.start(words, manifests: false).finish()
        let daemon = try Daemon(station)
        for command in [alone, try station.start(words, manifests: false).finish()] {
            #expect(command.status == 64, "\(command)")
            #expect(command.errors.contains("there is no such application; org.taskhost.loadin"), "\(command)")
        }
        #expect(try transfers("--for", Self.application).errors == "no open transfers\n")
        #expect(try daemon.stop().status == 0)
    }

    @Test func `top shows how many transfers are under way, and how fast`() throws {
        try web.add("d.bin", [UInt8](repeating: 7, count: 4_000_000))
        let daemon = try Daemon(station)
        #expect(try !daemon.tell("top", "--once").contains("transfers:"))
        #expect(try add(web.url("throttled/d.bin") + "?rate=100k").status == 0)
        var text = ""
        repeat {
            text = try daemon.tell("top", "--once")
        } while text.contains(", 0 B/s;") || !text.contains("transfers:")
        #expect(text.contains("transfers: 1 under way, ") && text.contains("/s; 0 waiting;"), "\(text)")
        let host = try #require(
            try document(
                try station.start(["top", "--once", "--json"], manifests: false)
                    .finish())["host"] as? [String: Any])
        #expect((host["transfers"] as? [String: Int])?["running"] == 1, "\(host)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("Without a daemon it is put on record, and the next one makes it")
    func later() throws {
        try web.add("c.bin", [1, 2, 3])
        let added = try station.start(
            [
                "transfers", "add", web.url("c.bin"), "--for", Self.application, "--manifests",
                station.manifestFolder.path,
            ], manifests: false
        ).finish()
        #expect(added.status == 0 && added.errors.contains("nothing starts until you run: taskhost serve"), "\(added)")
        #expect(added.output.contains("waits for a daemon"), "\(added)")
        let asked = ["--manifests", station.manifestFolder.path]
        let list = try station.start(["transfers"] + asked, manifests: false).finish()
        #expect(list.output.contains("waits for a daemon"), "\(list)")
        let why = try station.start(["why", Self.application] + asked, manifests: false).finish()
        #expect(why.output.contains("1 waiting (notServed)"), "\(why)")
        let daemon = try Daemon(station)
        while try document(try transfers("show", "1", "--json"))["state"] as? String != "delivered" {
            try daemon.wait(for: "transfer.ended", Self.application)
        }
        #expect(try document(try transfers("show", "1", "--json"))["error"] is NSNull)
        #expect(try daemon.stop().status == 0)
    }
}
