import Foundation
import TestSupport
import Testing

/// The built plugin in a real worker, against a real server.
@Suite("FeedRefresh", .disabled(if: Places.isSanitized, "a plain host cannot load a sanitized library"))
struct FeedRefreshTests {
    private static let good = ["blog.rss", "podcast.rss", "journal.atom", "releases.atom", "library.rdf", "latin1.rss"]

    @Test func `With an empty list a refresh succeeds, and asks for the next one in a quarter of an hour`() throws {
        let reader = try FeedReader(ports: [])
        let before = Date()
        let refresh = try reader.refresh([])
        #expect(refresh.outcome == "succeeded", "\(refresh.text)")
        #expect(refresh.summary == "feeds 0, refreshed 0, unchanged 0, failed 0, left 0, new items 0")
        let pending = try reader.pending()
        #expect(pending.map { $0["identifier"] as? String } == [FeedReader.identifier])
        #expect(pending.first?["origin"] as? String == "application")
        let text = try #require(pending.first?["earliestBeginDate"] as? String)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let ahead = try style.parse(text).timeIntervalSince(before)
        #expect(ahead >= 899 && ahead < 900 + 60, "\(text)")
    }

    @Test func `Feeds of every kind are stored, and asked for news only the next time`() throws {
        let server = try FeedServer()
        for name in Self.good { try server.add(name) }
        let reader = try FeedReader(ports: [server.port])
        let feeds = Self.good.map(server.address)
        let first = try reader.refresh(feeds)
        #expect(first.outcome == "succeeded", "\(first.text)")
        #expect(first.summary == "feeds 6, refreshed 6, unchanged 0, failed 0, left 0, new items 10")
        let database = try reader.database()
        #expect(try database.column("SELECT count(*) FROM items") == ["10"])
        #expect(
            try database.column("SELECT title FROM items WHERE key = 'https://harbour.example/?p=311'")
                == ["A new engine for the Marie & Anne"])
        #expect(
            try database.column("SELECT count(*) FROM feeds WHERE etag NOT NULL AND lastModified NOT NULL") == ["6"])
        // libcurl asks for compressed documents by itself.
        try server.wait(forAnswer: "encoding=gzip", count: 6)

        let second = try reader.refresh(feeds)
        #expect(second.outcome == "succeeded", "\(second.text)")
        #expect(second.summary == "feeds 6, refreshed 0, unchanged 6, failed 0, left 0, new items 0")
        for name in Self.good { try server.wait(forAnswer: "304 /\(name) match=") }
        #expect(try database.column("SELECT count(*) FROM items") == ["10"])
    }

    @Test func `A feed that has changed brings its new items alone`() throws {
        let server = try FeedServer()
        func feed(_ items: ClosedRange<Int>) -> String {
            let items = items.reversed().map { "<item><guid>\($0)</guid><title>Item \($0)</title></item>" }.joined()
            return "<rss version='2.0'><channel><title>Changing</title>\(items)</channel></rss>"
        }
        try server.write("changing.rss", feed(1...3))
        let reader = try FeedReader(ports: [server.port])
        let feeds = [server.address("changing.rss")]
        #expect(try reader.refresh(feeds).summary.hasSuffix("new items 3"))
        try server.write("changing.rss", feed(2...50))
        let refresh = try reader.refresh(feeds)
        #expect(
            refresh.summary == "feeds 1, refreshed 1, unchanged 0, failed 0, left 0, new items 47", "\(refresh.text)")
        #expect(try reader.database().column("SELECT count(*) FROM items") == ["50"])
    }

    @Test func `The list in the state folder is read, faults in it are reported`() throws {
        let server = try FeedServer()
        try server.add("blog.rss")
        let reader = try FeedReader(ports: [server.port])
        #expect(try reader.refresh([]).outcome == "succeeded")
        let list = "# mine\n\(server.address("blog.rss"))\nnonsense\n"
        try Data(list.utf8).write(to: reader.own.appending(path: "feeds.txt"))
        let refresh = try reader.refresh([])
        #expect(refresh.outcome == "succeeded")
        #expect(refresh.summary == "feeds 1, refreshed 1, unchanged 0, failed 0, left 0, new items 3")
        #expect(refresh.text.contains("feeds.txt:3: \"nonsense\" is no http or https address"), "\(refresh.text)")
    }

    @Test func `Redirects are followed, for a while`() throws {
        let server = try FeedServer(
            locations: """
                location = /moved.rss { return 301 /blog.rss; }
                location = /found.rss { return 302 http://127.0.0.1:$server_port/moved.rss; }
                location = /round.rss { return 302 /round.rss; }
                """)
        try server.add("blog.rss")
        let reader = try FeedReader(ports: [server.port])
        let refresh = try reader.refresh(["found.rss", "round.rss"].map(server.address))
        #expect(refresh.outcome == "succeeded", "\(refresh.text)")
        #expect(refresh.summary == "feeds 2, refreshed 1, unchanged 0, failed 1, left 0, new items 3")
        #expect(server.answers.filter { $0.hasPrefix("302 /round.rss") }.count < 50)
        #expect(try reader.database().column("SELECT count(*) FROM feeds WHERE problem NOT NULL") == ["1"])
    }

    @Test func `What one feed does wrong is reported, and harms no other`() throws {
        let server = try FeedServer(
            locations: """
                location = /broken.rss { return 500; }
                location = /nothing.rss { return 204; }
                location = /void.rss { return 200; }
                location /drip/ { limit_rate 10; }
                """)
        for name in ["bad-cut.rss", "bad-ampersand.rss", "bad-page.html", "bad-bomb.rss", "outside.rss", "blog.rss"] {
            try server.add(name)
        }
        try server.write("huge.rss", "<rss>" + String(repeating: " ", count: 8 << 20) + "</rss>")
        try server.write("drip/slow.rss", "<rss>" + String(repeating: " ", count: 1000) + "</rss>")
        let silent = try SilentServer()
        let closed = try HeldPort()
        let reader = try FeedReader(ports: [server.port, silent.port, closed.number])
        let bad: [(String, String)] = [
            ("broken.rss", "status 500"), ("absent.rss", "status 404"), ("nothing.rss", "status 204"),
            ("void.rss", "no XML"), ("bad-cut.rss", "no XML; line"), ("bad-ampersand.rss", "no XML; line"),
            ("bad-page.html", "its root element is <html>"), ("bad-bomb.rss", "no XML; line"),
            ("huge.rss", "longer than 4194304 bytes"), ("drip/slow.rss", "not there within 2 s"),
        ]
        var feeds = bad.map { server.address($0.0) }
        feeds += ["http://127.0.0.1:\(silent.port)/feed", "http://127.0.0.1:\(closed.number)/feed"]
        feeds += ["outside.rss", "blog.rss"].map(server.address)
        let refresh = try reader.refresh(feeds, ["timeout": 2])
        #expect(refresh.outcome == "succeeded", "\(refresh.text)")
        #expect(refresh.summary == "feeds 14, refreshed 2, unchanged 0, failed 12, left 0, new items 4")
        for (path, reason) in bad {
            let line = refresh.text.split(separator: "\n").first { $0.contains("/\(path): ") }
            #expect(line?.contains(reason) == true, "\(path): \(line ?? "no line")")
        }
        #expect(refresh.text.contains("\(silent.port)/feed: not there within 2 s"), "\(refresh.text)")
        #expect(refresh.text.contains("\(closed.number)/feed: "), "\(refresh.text)")
        let database = try reader.database()
        #expect(try database.column("SELECT count(*) FROM feeds WHERE problem NOT NULL") == ["12"])
        #expect(try database.column("SELECT count(*) FROM items WHERE title LIKE '%root%'") == ["0"])
    }

    @Test func `When every feed fails the run fails, and a port that is not granted is out of reach`() throws {
        let server = try FeedServer()
        try server.add("blog.rss")
        let other = try HeldPort()
        let reader = try FeedReader(ports: [other.number])
        let refresh = try reader.refresh([server.address("blog.rss")])
        #expect(refresh.outcome == "failed", "\(refresh.text)")
        #expect(refresh.summary == "feeds 1, refreshed 0, unchanged 0, failed 1, left 0, new items 0")
        #expect(server.answers.isEmpty)
    }

    @Test func `A run that expires keeps what is done and leaves the rest to the next one`() throws {
        let server = try FeedServer(locations: "location /drip/ { limit_rate 10; }")
        for name in Self.good { try server.add(name) }
        try server.write("drip/slow.rss", "<rss>" + String(repeating: " ", count: 10_000) + "</rss>")
        let reader = try FeedReader(ports: [server.port], budget: ["wallClock": "10s", "grace": "6s"])
        let feeds = [server.address("drip/slow.rss")] + Self.good.map(server.address)
        let refresh = try reader.refresh(feeds, ["timeout": 60])
        #expect(refresh.outcome == "expired", "\(refresh.text)")
        #expect(refresh.summary == "feeds 7, refreshed 6, unchanged 0, failed 0, left 1, new items 10")
        #expect(try reader.database().column("SELECT count(*) FROM items") == ["10"])
        // It had asked for the next one first thing.
        #expect(try reader.pending().count == 1)
    }

    @Test func `Settings and databases that cannot be used fail the run with a sentence`() throws {
        let reader = try FeedReader(ports: [])
        let settings = try reader.refresh([], ["interval": 3])
        #expect(settings.outcome == "failed")
        #expect(settings.text.contains("settings: \"interval\" is not known"), "\(settings.text)")
        #expect(try reader.refresh([]).outcome == "succeeded")
        let file = try reader.own.appending(path: "feeds.sqlite")
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(String(repeating: "no database ", count: 100).utf8))
        try handle.close()
        let refresh = try reader.refresh([])
        #expect(refresh.outcome == "failed")
        #expect(refresh.text.contains("feeds.sqlite: file is not a database"), "\(refresh.text)")
    }

    @Test func `The library is one of Foundation's, which the host prepares for`() throws {
        let library = try Places.products.appending(path: "libFeedRefresh.so").path
        let needed = try Command.run("ldd", [library]).output
        for name in ["libFoundation.so", "libFoundationNetworking.so", "libFoundationXML.so", "libsqlite3.so"] {
            #expect(needed.contains(name))
        }
    }
}
