import Foundation
import TestSupport
import Testing

/// The three life cycles of the article on background transfers: one session, two files, and the calls in their order.
@Suite("The seeds' demonstration of background transfers", .enabled(if: !Places.isSanitized))
struct SeedTransfersTests {
    private let server: WebServer
    private let application: ServedApplication
    private let payload: TestSupport.Folder
    private static let size = 2_000_000
    private static let names = ["one.bin", "two.bin"]

    init() throws {
        server = try WebServer()
        payload = try TestSupport.Folder()
        let port = try #require(URL(string: server.url("ready"))?.port)
        for name in Self.names {
            let bytes = Data((0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ name.utf8.count &+ $0 >> 8) })
            try server.add(name, bytes)
        }
        application = try ServedApplication(
            try Places.products.appending(path: "libSeedTransfers.so").path, file: "Documents/log.txt",
            members: [
                "backgroundModes": ["remote-notification"], "permissions": ["network": ["127.0.0.1:\(port)"]],
            ])
    }

    /// Brings the application to the front and has it download both files at so many bytes a second.
    private func begin(rate: String) throws {
        try application.tell("foreground", ServedApplication.identifier)
        let urls = Self.names.map { server.url("throttled/\($0)?rate=\(rate)") }
        let file = try payload.write("payload.json", try JSONSerialization.data(withJSONObject: ["urls": urls]))
        try application.tell("notify", ServedApplication.identifier, "--payload", file.path)
        for name in Self.names { try application.wait(for: "started \(name)") }
    }

    private func isThere(_ name: String) throws -> Bool {
        try Data(contentsOf: server.folder.file("www/\(name)"))
            == Data(contentsOf: application.file("Documents/\(name)"))
    }

    @Test("in front: each call as it happens, and none of the session")
    func inFront() throws {
        try begin(rate: "2m")
        for name in Self.names { try application.wait(for: "didCompleteWithError \(name) nil") }
        let lines = try application.stop(lastLine: "didCompleteWithError \(Self.names[1]) nil")
        for name in Self.names {
            #expect(
                lines.filter { $0.contains(name) && !$0.hasPrefix("getAllTasks") } == [
                    "started \(name)", "didWriteData \(name)", "didFinishDownloadingTo \(name)",
                    "didCompleteWithError \(name) nil",
                ], "\(lines)")
            #expect(try isThere(name))
        }
        #expect(!lines.contains { $0.hasPrefix("handleEvents") || $0.hasPrefix("urlSessionDidFinish") }, "\(lines)")
    }

    @Test("in the background: all of them when both files are there, after the call for the session")
    func behind() throws {
        try begin(rate: "150k")
        try application.tell("background", ServedApplication.identifier)
        try application.wait(for: "urlSessionDidFinishEvents")
        let lines = try application.stop(lastLine: "urlSessionDidFinishEvents")
        let start = try #require(lines.firstIndex(of: "handleEventsForBackgroundURLSession"), "\(lines)")
        let told = lines[(start + 1)...].filter { $0 != "didFinishLaunching" }
        let orders = [Self.names, Self.names.reversed()].map { names in
            names.flatMap { ["didFinishDownloadingTo \($0)", "didCompleteWithError \($0) nil"] }
                + ["urlSessionDidFinishEvents"]
        }
        #expect(orders.contains(Array(told)), "\(lines)")
        for name in Self.names { #expect(try isThere(name)) }
    }

    @Test("quit by a user: no call, and -999 with its reason when a user opens it again")
    func quit() throws {
        try begin(rate: "20k")
        try application.tell("background", ServedApplication.identifier)
        try application.tell("quit", ServedApplication.identifier)
        try application.tell("foreground", ServedApplication.identifier)
        let ends = Self.names.map { "didCompleteWithError \($0) NSURLErrorDomain -999 reason 0" }
        for end in ends { try application.wait(for: end) }
        let lines = try application.stop(lastLine: ends[1])
        let again = try #require(lines.lastIndex(of: "didFinishLaunching"), "\(lines)")
        #expect(lines[..<again].allSatisfy { !$0.hasPrefix("didComplete") }, "\(lines)")
        #expect(Set(lines[again...].filter { $0.hasPrefix("didComplete") }) == Set(ends), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("handleEvents") }, "\(lines)")
    }
}
