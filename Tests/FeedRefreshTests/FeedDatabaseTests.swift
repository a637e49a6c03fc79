import Feeds
import Foundation
import TestSupport
import Testing

@Suite("The feeds' database")
struct FeedDatabaseTests {
    private let address = URL(string: "https://a.example/feed").unsafelyUnwrapped
    private let other = URL(string: "https://b.example/feed").unsafelyUnwrapped

    private func feed(_ keys: [String]) -> Feed {
        var feed = Feed()
        feed.items = keys.map { FeedItem(key: $0) }
        return feed
    }

    @Test func `Items are stored once for each feed, whatever becomes of the file meanwhile`() throws {
        let folder = try Folder()
        let file = folder.file("feeds.sqlite")
        do {
            let database = try FeedDatabase(file: file)
            #expect(try database.store(feed(["1", "2", "1"]), of: address, memory: .init(), at: 1) == 2)
            #expect(try database.store(feed(["1", "2"]), of: other, memory: .init(), at: 2) == 2)
        }
        let database = try FeedDatabase(file: file)
        #expect(try database.store(feed(["2", "3"]), of: address, memory: .init(), at: 3) == 1)
        #expect(try database.store(feed([]), of: address, memory: .init(), at: 4) == 0)
    }

    @Test func `What the server said is remembered until it says something else`() throws {
        let folder = try Folder()
        let database = try FeedDatabase(file: folder.file("feeds.sqlite"))
        #expect(try database.memory(of: address) == .init())
        let said = FeedDatabase.Memory(etag: "W/\"1\"", lastModified: "Sat, 07 Sep 2002 00:00:01 GMT")
        _ = try database.store(feed([]), of: address, memory: said, at: 1)
        try database.note(.status(500), of: address, at: 2)
        try database.note(nil, of: address, at: 3)
        #expect(try database.memory(of: address) == said)
        #expect(try database.memory(of: other) == .init())
        _ = try database.store(feed([]), of: address, memory: .init(), at: 4)
        #expect(try database.memory(of: address) == .init())
    }

    @Test func `Odd texts are stored as they are`() throws {
        let folder = try Folder()
        let database = try FeedDatabase(file: folder.file("feeds.sqlite"))
        var feed = Feed()
        feed.title = "'; DROP TABLE items; --"
        feed.items = ["", "'", "\u{0}x", "🦊", "é"].map { FeedItem(key: $0) }
        #expect(try database.store(feed, of: address, memory: .init(), at: 1) == 5)
        #expect(try database.store(feed, of: address, memory: .init(), at: 1) == 0)
    }

    @Test func `A file that is no database is refused with a sentence`() throws {
        let folder = try Folder()
        let file = try folder.write("feeds.sqlite", String(repeating: "no database ", count: 100))
        #expect(throws: FeedProblem.database("feeds.sqlite: file is not a database")) { try FeedDatabase(file: file) }
    }
}
