import Foundation
import TaskHostNetwork
import TestSupport
import Testing

/// Background sessions as common code uses them, under a real daemon.
@Suite("Background sessions of common code", .enabled(if: !Places.isSanitized))
struct DownloadTests {
    private let server: WebServer
    private let application: ServedApplication
    private let payload: TestSupport.Folder
    private let origin: Origin

    init() throws {
        server = try WebServer()
        origin = try Origin()
        payload = try TestSupport.Folder()
        try server.add("file.bin", Data(repeating: 7, count: 5000))
        let port = try #require(URL(string: server.url("ready"))?.port)
        application = try ServedApplication(
            Built.folder.get().appending(path: "libDownloads.so").path, file: "Documents/log.txt",
            members: [
                "backgroundModes": ["remote-notification"],
                "permissions": ["network": ["127.0.0.1:\(port)", "127.0.0.1:\(origin.port)"]],
            ])
    }

    private func tell(_ verb: String, _ url: String? = nil) throws {
        let words = ["do": verb, "url": url ?? server.url("file.bin")]
        let file = try payload.write("payload.json", try JSONSerialization.data(withJSONObject: words))
        try application.tell("notify", ServedApplication.identifier, "--payload", file.path)
    }

    @Test("a finished file that is moved to the temporary directory under its own name stays")
    func moved() throws {
        try application.tell("foreground", ServedApplication.identifier)
        for number in 1...2 {
            try tell("download")
            try application.wait(for: "kept 5000", count: number)
        }
        let lines = try application.stop(lastLine: "kept 5000")
        #expect(
            lines.filter { $0 == "completed true 200" }.count == 2 && !lines.contains { $0.hasPrefix("moved") },
            "\(lines)")
    }

    @Test("a data task runs in the process, and the session's delegate hears of it")
    func data() throws {
        try application.tell("foreground", ServedApplication.identifier)
        try tell("data")
        try application.wait(for: "completed true 200")
        let lines = try application.stop(lastLine: "completed true 200")
        #expect(lines.contains("tasks 1 true") && lines.contains("data true 5000"), "\(lines)")
    }

    @Test("a delayed download begins although the process that is asked ends without an answer")
    func delayed() throws {
        try application.tell("foreground", ServedApplication.identifier)
        try tell("delayed")
        try server.wait(forAnswer: "200 GET /file.bin")
        // A user opens it, and it hears of the end.
        try application.tell("foreground", ServedApplication.identifier)
        try tell("nothing")
        try application.wait(for: "kept 5000")
        let journal = try application.tell("journal")
        #expect(
            journal.contains("it begins with the request that it has: its application did not answer"), "\(journal)")
    }

    @Test("a delegate hears of an upload's interim answers")
    func informed() throws {
        try application.tell("foreground", ServedApplication.identifier)
        try tell("upload", origin.url("resumable?name=kept"))
        try application.wait(for: "completed true 200")
        let lines = try application.stop(lastLine: "completed true 200")
        #expect(lines.first == "informed 104 true" && lines.filter { $0.hasPrefix("informed") }.count == 1, "\(lines)")
    }

    @Test("a data task that is under way when the process is suspended has lost its connection")
    func suspended() throws {
        try application.tell("foreground", ServedApplication.identifier)
        try tell("data", origin.url("silent"))
        try application.wait(for: "tasks 1 true")
        try application.suspend()
        try application.tell("foreground", ServedApplication.identifier)
        try application.wait(for: "completed false 0")
        let lines = try application.stop(lastLine: "completed false 0")
        #expect(lines.contains("failed \(NSURLErrorNetworkConnectionLost)"), "\(lines)")
    }

    @Test("a path monitor hears of the network that the host sees, each change once")
    func paths() throws {
        try application.tell("device", "set", "network=ok")
        try application.tell("foreground", ServedApplication.identifier)
        try tell("paths")
        let now = RouteTable.read().path { _ in true }
        for (network, path) in [
            ("ok", "\(now.status) \(now.isExpensive)"), ("constrained", "\(now.status) true"),
            ("none", "unsatisfied false"),
        ] {
            try application.tell("device", "set", "network=\(network)")
            try application.wait(for: "path \(path)")
        }
        #expect(try application.stop(lastLine: "path unsatisfied false").count == 3)
    }
}
