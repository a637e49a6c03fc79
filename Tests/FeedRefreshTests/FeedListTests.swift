import Feeds
import Foundation
import TestSupport
import Testing

@Suite("Lists and settings of feeds")
struct FeedListTests {
    @Test func `A list has one address a line, comments and blank lines`() throws {
        let folder = try Folder()
        let file = try folder.write(
            "feeds.txt",
            """
            # my feeds
            https://a.example/feed

              http://b.example:8080/x?y=1   # with a port
            https://a.example/feed
            ftp://c.example/feed
            nonsense
            https:///no-host
            """)
        var list = FeedList()
        list.add(file: file)
        list.add("https://d.example/", from: "settings.feeds[0]")
        #expect(
            list.addresses.map(\.absoluteString) == [
                "https://a.example/feed", "http://b.example:8080/x?y=1", "https://d.example/",
            ])
        #expect(list.faults.count == 3)
        #expect(
            list.faults.first == "feeds.txt:6: \"ftp://c.example/feed\" is no http or https address; correct the list")
    }

    @Test func `A list that is not there is empty, and one that is too long is cut`() {
        var list = FeedList()
        list.add(file: URL(filePath: "/nonexistent/feeds.txt"))
        #expect(list.addresses.isEmpty && list.faults.isEmpty)
        for number in 0...FeedLimits.feeds { list.add("https://a.example/\(number)", from: "here") }
        #expect(list.addresses.count == FeedLimits.feeds)
        #expect(list.faults.count == 1)
        list.add("https://a.example/" + String(repeating: "x", count: FeedLimits.address), from: "there")
        #expect(list.faults.count == 2)
    }

    @Test func `Settings have defaults, and their folders are those of the application`() throws {
        let settings = try FeedSettings(json: Data("{}".utf8))
        #expect(settings == FeedSettings())
        let (state, cache, manifest) = (URL(filePath: "/s"), URL(filePath: "/c"), URL(filePath: "/m"))
        #expect(settings.listFile(state: state, cache: cache, manifest: manifest).path == "/s/feeds.txt")
        let other = try FeedSettings(json: Data(#"{"list": "$MANIFEST/l.txt", "timeout": 3, "feeds": ["a"]}"#.utf8))
        #expect(other.listFile(state: state, cache: cache, manifest: manifest).path == "/m/l.txt")
        #expect(other.timeout == 3 && other.feeds == ["a"])
    }

    @Test(arguments: [
        "[]", "7", "{", #"{"feeds": "a"}"#, #"{"feeds": [1]}"#, #"{"list": ""}"#, #"{"timeout": 0}"#,
        #"{"timeout": 301}"#, #"{"timeout": 1.5}"#, #"{"maximumBytes": 1}"#, #"{"interval": 1}"#,
    ])
    func `Settings that cannot be meant are refused`(_ json: String) {
        #expect(throws: FeedProblem.self) { try FeedSettings(json: Data(json.utf8)) }
    }
}
