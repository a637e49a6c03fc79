import JSON
import Manifests
import TaskModel
import Testing

@Suite struct ManifestLimitTests {
    private static func tasks(_ count: Int) -> String {
        let tasks = (0..<count).map { #""com.example.t\#($0)": {"kind": "processing"}"# }.joined(separator: ",")
        return #"{"identifier": "com.example", "library": "l", "tasks": {\#(tasks)}}"#
    }

    @Test func tasksEndAtTheirLimit() {
        #expect(ManifestText.decode(Self.tasks(256)).application?.tasks.count == 256)
        #expect(ManifestText.messages(Self.tasks(257)) == ["$.tasks: found 257 tasks; expected at most 256 tasks"])
    }

    @Test func settingsEndAtTheirLimit() {
        // {"a":"…"} has eight bytes beside the text.
        func settings(_ bytes: Int) -> String {
            let text = String(repeating: "x", count: bytes - 8)
            return ManifestText.with(task: #""kind": "appRefresh", "settings": { "a" : "\#(text)" }"#)
        }
        #expect(ManifestText.decode(settings(65536)).application?.tasks.first?.settings.utf8.count == 65536)
        #expect(
            ManifestText.messages(settings(65537)) == [
                #"$.tasks["com.example.a.t"].settings: found settings of 65537 bytes; expected at most 65536 bytes; put the data into a file and name that"#
            ])
    }

    @Test func identifiersEndAtTheirLimit() throws {
        func manifest(_ length: Int) -> String {
            let identifier = "com." + String(repeating: "x", count: length - 4)
            return #"{"identifier": "\#(identifier)", "library": "l", "tasks": {"a.b": {"kind": "processing"}}}"#
        }
        #expect(ManifestText.decode(manifest(255)).application != nil)
        let message = try #require(ManifestText.messages(manifest(256)).first)
        #expect(message.hasPrefix("$.identifier: found 256 bytes at character 256 of"))
        #expect(message.hasSuffix("; expected at most 255 bytes"))
    }

    @Test(
        "A string ends at its limit",
        arguments: [("name", 255), ("version", 255), ("library", 4096)])
    func strings(_ key: String, _ limit: Int) {
        func manifest(_ length: Int) -> String {
            let extra = key == "library" ? "" : #""library": "l", "#
            return ManifestText.with(extra: extra + #""\#(key)": "\#(String(repeating: "x", count: length))""#)
        }
        #expect(ManifestText.decode(manifest(limit)).application != nil)
        #expect(
            ManifestText.messages(manifest(limit + 1)) == [
                "$.\(key): found \"xxxxxxxxxxxxxxxxxxxx…\" of \(limit + 1) bytes; expected at most \(limit) bytes"
            ])
    }

    @Test func symbolsEndAtTheirLimit() {
        let symbol = String(repeating: "f", count: 255)
        #expect(ManifestText.task(#""kind": "appRefresh", "handler": "\#(symbol)""#)?.handler == .symbol(symbol))
        #expect(ManifestText.task(#""kind": "appRefresh", "handler": "\#(symbol)f""#) == nil)
    }

    @Test func listsEndAtTheirLimits() {
        func manifest(_ count: Int) -> String {
            let paths = repeatElement(#""/a""#, count: count).joined(separator: ",")
            return ManifestText.with(extra: #""library": "l", "permissions": {"read": [\#(paths)]}"#)
        }
        #expect(ManifestText.decode(manifest(256)).application?.permissions.read.count == 256)
        #expect(
            ManifestText.messages(manifest(257)) == ["$.permissions.read: found an array of 257; expected at most 256"])
    }

    @Test func filesEndAtTheirLimit() {
        let padding = String(repeating: " ", count: ManifestLimits.fileBytes - ManifestText.with().utf8.count)
        #expect(ManifestText.decode(ManifestText.with() + padding).application != nil)
        #expect(
            ManifestText.messages(ManifestText.with() + padding + " ")
                == ["$: found 4194305 bytes; expected at most 4194304 bytes"])
    }

    @Test func faultsBeyondTheLimitAreCounted() {
        let keys = (0..<300).map { #""k\#($0)": 0"# }.joined(separator: ",")
        let messages = ManifestText.messages(ManifestText.with(extra: #""library": "l", \#(keys)"#))
        #expect(messages.count == DocumentReader.maximumDiagnostics + 1)
        #expect(
            messages.last == "$: found 100 more faults; expected none; correct those above and check the file again")
    }

    @Test(
        "Both ends of a range are taken",
        arguments: [
            #""budget": {"wallClock": "100ms", "cpuTime": "1ms", "memory": "1MiB", "grace": "99ms"}"#,
            #""budget": {"wallClock": "7d", "cpuTime": "7d", "memory": "1024GiB"}"#,
            #""schedule": {"every": "366d", "jitter": "7d"}"#,
            #""schedule": {"every": "1s", "jitter": "1s"}, "budget": {"wallClock": "1s"}"#,
            #""retry": {"attempts": 1, "backoff": "0s"}"#, #""retry": {"attempts": 100, "backoff": "7d"}"#,
        ])
    func ranges(_ members: String) {
        #expect(ManifestText.messages(ManifestText.with(task: #""kind": "appRefresh", "# + members)) == [])
    }
}
