import Control
import Foundation
import Host
import JSON
import Linux
import Serving
import Setting
import TaskModel
import TestSupport
import Testing

@Suite("A host that reads thousands of manifests while it serves")
struct ReloadingTests {
    /// Counts the loop's turns.
    private final class Turns: EventSource {
        var count = 0
        func attach(to registry: any SourceRegistry) {}
        func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
        func afterCommit(at now: ClockReading) -> Bool {
            count += 1
            return false
        }
        func close() {}
    }

    private static let count = 2_000

    private func folder() throws -> TestSupport.Folder {
        let folder = try TestSupport.Folder()
        for number in 0..<Self.count { try ManifestReaderTests.write(number, to: folder) }
        return folder
    }

    @Test("does so in portions, answers meanwhile, and answers the reload when all are read")
    func portions() throws {
        let (folder, state) = (try folder(), try TestSupport.Folder())
        let host = try HostUnderTest(stateFolder: state.file("state").path, configuration: HostConfiguration())
        let service = try Service(host: host, manifests: [folder.path], purpose: .verb) { _ in }
        let turns = Turns()
        try host.add(turns)
        #expect(host.installed.presentTasks == Self.count)
        try ManifestReaderTests.write(7, to: folder, task: "other")
        var reload: ControlReply?
        var others = 0
        service.handler.handle(ControlRequest(.post, "/v1/reload")) { reload = $0 }
        while reload == nil {
            let before = turns.count
            try host.run { turns.count > before }
            service.handler.handle(ControlRequest(.get, "/v1/host")) { _ in others += 1 }
            if reload == nil { #expect(others == turns.count) }
        }
        // A portion has a millisecond; no machine reads a hundred manifests in that.
        #expect(turns.count > Self.count / 100, "\(turns.count)")
        let document = try JSONParser.parse(try #require(reload).body, maximumBytes: 1 << 20)
        #expect(document["loaded"]?.integer == Int64(Self.count))
        #expect(host.installed.task(named: "com.example.app0007.other") != nil)
        #expect(host.installed.presentTasks == Self.count && host.installed.presentApplications == Self.count)
        try host.close()
    }

    @Test("has answers for all who asked, whenever they asked")
    func waiters() throws {
        let (folder, state) = (try folder(), try TestSupport.Folder())
        let host = try HostUnderTest(stateFolder: state.file("state").path, configuration: HostConfiguration())
        let service = try Service(host: host, manifests: [folder.path], purpose: .verb) { _ in }
        let turns = Turns()
        try host.add(turns)
        var replies: [Int] = []
        service.handler.handle(ControlRequest(.post, "/v1/reload")) { replies.append($0.status) }
        try host.run { turns.count > 3 }
        // The current reading may have passed what changed just now.
        try ManifestReaderTests.write(0, to: folder, task: "late")
        service.handler.handle(ControlRequest(.post, "/v1/reload")) { replies.append($0.status) }
        try host.run { replies.count == 1 }
        try host.run { replies.count == 2 }
        #expect(replies == [200, 200])
        #expect(host.installed.task(named: "com.example.app0000.late") != nil)
        // One that the host's end cuts short gets an error.
        service.handler.handle(ControlRequest(.post, "/v1/reload")) { replies.append($0.status) }
        try host.close()
        #expect(replies == [200, 200, 409])
    }

    private func ask(_ service: Service, _ host: HostUnderTest, _ path: String, _ query: [(String, String)] = []) throws
        -> JSONValue
    {
        var reply: ControlReply?
        service.handler.handle(
            ControlRequest(.get, path, query: query.map { (name: $0.0, value: $0.1) })
        ) { reply = $0 }
        try host.run { reply != nil }
        return try JSONParser.parse(try #require(reply).body, maximumBytes: 1 << 26)
    }

    @Test("lists all of its tasks in portions, or page by page")
    func lists() throws {
        let (folder, state) = (try folder(), try TestSupport.Folder())
        let host = try HostUnderTest(stateFolder: state.file("state").path, configuration: HostConfiguration())
        let service = try Service(host: host, manifests: [folder.path], purpose: .verb) { _ in }
        let turns = Turns()
        try host.add(turns)
        func identifiers(_ query: [(String, String)] = []) throws -> [String] {
            try #require(try ask(service, host, "/v1/tasks", query)["tasks"]?.array).compactMap {
                $0["identifier"]?.string
            }
        }
        let all = try identifiers()
        #expect(all.count == Self.count && Set(all).count == Self.count)
        #expect(turns.count > 3, "\(turns.count)")
        var pages = try identifiers([("limit", "700")])
        #expect(pages.count == 700)
        while let last = pages.last {
            let page = try identifiers([("limit", "700"), ("after", last)])
            if page.isEmpty { break }
            pages += page
        }
        #expect(pages == all)
        #expect(try ask(service, host, "/v1/tasks", [("after", "com.example.none")])["status"]?.integer == 404)
        let applications = try ask(service, host, "/v1/applications")["applications"]?.array
        #expect(applications?.count == Self.count)
        #expect(try ask(service, host, "/v1/host")["longestTurn"]?.double != nil)
        try host.close()
    }
}
