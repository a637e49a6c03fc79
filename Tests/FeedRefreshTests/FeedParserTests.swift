import Feeds
import Foundation
import TestSupport
import Testing

@Suite("Feed documents")
struct FeedParserTests {
    private static let address = URL(string: "https://harbour.example/blog/feed.rss")
        .unsafelyUnwrapped

    private func parse(_ name: String) throws -> Feed {
        let document = try Data(contentsOf: Places.fixtures.appending(path: "Feeds/\(name)"))
        return try FeedParser.parse(document, address: Self.address)
    }

    private func parse(text: String) throws -> Feed {
        try FeedParser.parse(Data(text.utf8), address: Self.address)
    }

    @Test func `An RSS feed of a blog is read with its extensions`() throws {
        let feed = try parse("blog.rss")
        #expect(feed.title == "Notes from the harbour")
        #expect(feed.items.count == 3)
        let engine = feed.items[0]
        #expect(engine.key == "https://harbour.example/?p=311")
        #expect(engine.title == "A new engine for the Marie & Anne")
        #expect(engine.link == "https://harbour.example/2025/06/engine/")
        #expect(engine.author == "Ines Ferreira")
        #expect(engine.summary == "<p>She runs again.</p>")
        #expect(engine.published == FeedDate.seconds("2025-06-10T07:30:00Z"))
        let tides = feed.items[1]
        #expect(tides.author == "ines@harbour.example (Ines Ferreira)")
        #expect(tides.summary == "Why the water comes twice.")
        #expect(tides.published == FeedDate.seconds("2025-05-04T18:05:00Z"))
        let weather = feed.items[2]
        #expect(weather.title == "Weather < 5 Beaufort — go!")
        #expect(weather.link == "https://harbour.example/2025/04/weather/?from=feed&day=1")
        #expect(weather.key == "/2025/04/weather/")
        #expect(weather.published == FeedDate.seconds("2025-04-14T12:00:30Z"))
    }

    @Test func `A podcast is read, and a date that is none is no date`() throws {
        let feed = try parse("podcast.rss")
        #expect(feed.title == "Two Voices")
        #expect(feed.items.map(\.title) == ["Folge 12: Über Brücken", "Folge 11: Türme"])
        #expect(feed.items.map(\.link) == ["", ""])
        #expect(feed.items[0].published == FeedDate.seconds("2025-03-01T00:00:00Z"))
        #expect(feed.items[1].published == nil)
    }

    @Test func `An Atom feed is read with markup in its texts and links of many relations`() throws {
        let feed = try parse("journal.atom")
        #expect(feed.title == "Journal of a <small> observatory")
        #expect(feed.items.count == 2)
        let bright = feed.items[0]
        #expect(bright.key == "tag:observatory.example,2020:night-42")
        #expect(bright.title == "A very bright night")
        #expect(bright.link == "https://harbour.example/nights/42")
        #expect(bright.author == "Jun Ito")
        #expect(bright.summary == "Saturn, and its rings.")
        #expect(bright.published == FeedDate.seconds("2025-06-30T21:30:00Z"))
        let clouds = feed.items[1]
        #expect(clouds.key == "tag:observatory.example,2020:night-41")
        #expect(clouds.title == "Clouds &amp; rain")
        #expect(clouds.summary == "<p>Nothing to see.</p>")
        #expect(clouds.published == FeedDate.seconds("2025-06-29T08:00:00Z"))
    }

    @Test func `Atom with a prefix, RSS 1.0 and other encodings are read`() throws {
        let releases = try parse("releases.atom")
        #expect(releases.items.map(\.title) == ["v2.0.0"])
        #expect(releases.items[0].author == "maintainer")
        let library = try parse("library.rdf")
        #expect(library.title == "New books")
        #expect(library.items.map(\.key) == ["https://library.example/b/1"])
        #expect(library.items[0].author == "R. Oduya")
        #expect(library.items[0].published == FeedDate.seconds("2025-01-02T00:00:00Z"))
        let latin = try parse("latin1.rss")
        #expect(latin.title == "Café de la Plage")
        #expect(latin.items.map(\.title) == ["Crêpes à volonté"])
    }

    @Test func `Items without an id are told apart by link, or by title and date`() throws {
        let items = try parse("bare.rss").items
        #expect(
            items.map(\.key) == [
                "Only a title 0", "Only a title 1735689600", "https://bare.example/only-a-link", "same", "same",
            ])
        #expect(try parse("empty.rss").items.isEmpty)
    }

    @Test func `What is no XML is refused as a whole, with the line`() throws {
        #expect(throws: FeedProblem.self) { try parse("bad-cut.rss") }
        do {
            _ = try parse("bad-ampersand.rss")
            Issue.record("it was read")
        } catch FeedProblem.notXML(let line, _) {
            #expect(line == 2)
        }
        for text in ["", " ", "{}", "<rss", "\u{0}\u{1}\u{2}"] {
            #expect(throws: FeedProblem.self) { try parse(text: text) }
        }
    }

    @Test func `What is no feed is refused by the name of its root`() {
        #expect(throws: FeedProblem.notAFeed("html")) { try parse("bad-page.html") }
        #expect(throws: FeedProblem.notAFeed("feed")) { try parse(text: "<feed xmlns='http://example.org'/>") }
        #expect(throws: FeedProblem.notAFeed("x:rss")) { try parse(text: "<x:rss xmlns:x='http://example.org'/>") }
    }

    @Test func `Entities neither grow without bound nor reach outside`() throws {
        #expect(throws: FeedProblem.self) { try parse("bad-bomb.rss") }
        #expect(try parse("outside.rss").items.allSatisfy { !$0.title.contains("root") })
    }

    @Test(arguments: [
        ("UTF-8", Data("é".utf8), "é"), ("utf-8", Data([0xE9]), "\u{FFFD}"), ("ISO-8859-1", Data([0xE9]), "é"),
        ("windows-1252", Data([0x93, 0xE9, 0x94]), "“é”"), ("windows-1251", Data([0xE4, 0xE0]), "да"),
        ("iso-8859-2", Data([0xB3]), "ł"), ("Shift_JIS", Data([0x93, 0xFA]), "日"),
        ("UTF-16", Data("é".utf8), "é"), ("us-ascii", Data("e".utf8), "e"),
    ])
    func `A document is read in the encoding that it declares`(_ name: String, _ bytes: Data, _ text: String) throws {
        let head = Data("<?xml version='1.0' encoding='\(name)'?>\n<rss><channel><title>".utf8)
        let feed = try FeedParser.parse(head + bytes + Data("</title></channel></rss>".utf8), address: Self.address)
        #expect(feed.title == text)
    }

    @Test func `UTF-16 is read in both orders, and an encoding that is not known is refused`() throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?><rss><channel><title>é🦊</title></channel></rss>"
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let document = try #require(text.data(using: encoding))
            #expect(try FeedParser.parse(document, address: Self.address).title == "é🦊")
        }
        #expect(throws: FeedProblem.self) { try parse(text: "<?xml version='1.0' encoding='x-klingon'?><rss/>") }
    }

    @Test func `Elements may lie as deep as the limit and no deeper`() throws {
        for (depth, isRead) in [(FeedLimits.depth, true), (FeedLimits.depth + 1, false), (100_000, false)] {
            let inner = depth - 1
            let text =
                "<rss>" + String(repeating: "<x>", count: inner) + String(repeating: "</x>", count: inner) + "</rss>"
            if isRead {
                #expect(try parse(text: text).items.isEmpty)
            } else {
                #expect(throws: FeedProblem.self) { try parse(text: text) }
            }
        }
    }

    @Test func `Long texts are cut between characters, and long feeds after the last item that is kept`() throws {
        let title = "x" + String(repeating: "é", count: 5000)
        let item =
            "<item><title>\(title)</title><guid>\(title)</guid><description>\(title)\(title)</description></item>"
        let feed = try parse(text: "<rss><channel>\(item)</channel></rss>")
        #expect(feed.items[0].title == "x" + String(repeating: "é", count: 1023))
        #expect(feed.items[0].key.utf8.count <= FeedLimits.line)
        #expect(feed.items[0].summary.utf8.count <= FeedLimits.summary)
        let many = (0..<FeedLimits.items + 5).map { "<item><guid>\($0)</guid></item>" }.joined()
        #expect(try parse(text: "<rss><channel>\(many)</channel></rss>").items.count == FeedLimits.items)
    }

    @Test func `No beginning of a document, and no changed one, stops the process`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let names = ["blog.rss", "journal.atom", "releases.atom", "library.rdf", "bad-bomb.rss", "outside.rss"]
        let documents = try names.map {
            try [UInt8](Data(contentsOf: Places.fixtures.appending(path: "Feeds/\($0)")))
        }
        var refused = 0
        for round in 0..<4000 {
            var document = documents[round % documents.count]
            if Bool.random(using: &random) {
                document.removeLast(Int.random(in: 0..<document.count, using: &random))
            }
            for _ in 0..<Int.random(in: 0...8, using: &random) where !document.isEmpty {
                let place = Int.random(in: 0..<document.count, using: &random)
                let interesting = Array("<>&;\"'=:/![]-\u{0}".utf8) + [0x80, 0xC3, 0xFF]
                document[place] =
                    Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : interesting.randomElement(using: &random) ?? 0
            }
            do { _ = try FeedParser.parse(Data(document), address: Self.address) } catch { refused += 1 }
        }
        #expect(refused > 0, "seed \(seed)")
    }
}
