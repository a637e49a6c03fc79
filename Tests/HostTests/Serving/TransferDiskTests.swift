import Control
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A host whose state folder is on a small file system that is full, or becomes so.
@Suite("Transfers and a full disk", .enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
struct TransferDiskTests {
    private let disk: SmallDisk
    private let downloads: Downloads
    private static let size = 6 << 20

    init() throws {
        disk = try SmallDisk(bytes: 64 << 20, entries: 3000)
        downloads = try Downloads(
            files: 1, bytes: Self.size, rate: 1 << 20, state: disk.folder.file("state").path)
        try downloads.station.configure("diskFloor", "1MiB")
    }

    /// Adds a download; its number.
    private func add(_ daemon: Daemon, _ path: String) throws -> Int64 {
        let reply = try daemon.ask(
            .post, "/v1/transfers",
            body: "{\"url\":\"\(downloads.web.url(path))\",\"application\":\"\(Downloads.application)\"}")
        return try #require(try reply.document()["id"]?.integer, "\(reply)")
    }

    private func look(_ daemon: Daemon, _ id: Int64) throws -> JSONValue {
        try daemon.ask(.get, "/v1/transfers/\(id)").document()
    }

    private func expectWaitsForDisk(_ daemon: Daemon, _ id: Int64) throws {
        try daemon.waitUntil { try look(daemon, id)["waitsFor"]?.string == "disk" }
        let shown = try downloads.station.start(["transfers", "show", "\(id)"], manifests: false)
            .finish().output
        #expect(shown.contains("waits for room on the disk"), "\(shown)")
        let why = try daemon.tell("why", Downloads.application)
        #expect(why.contains("1 waiting (disk)"), "\(why)")
    }

    /// It ends with all of its bytes, and nothing else is left.
    private func expectEnd(_ daemon: Daemon, _ id: Int64) throws {
        try daemon.waitUntil { try look(daemon, id)["state"]?.string == "delivered" }
        let end = try look(daemon, id)
        #expect(end["error"]?.string == nil && end["received"]?.integer == Int64(Self.size), "\(end)")
        #expect(try daemon.stop().status == 0)
        let folder = URL(filePath: downloads.station.state).appending(path: "applications/\(Downloads.application)")
        let file = folder.appending(path: "cache/taskhost-\(id).download")
        #expect(FileManager.default.contents(atPath: file.path) == Data(downloads.contents[0]))
        let parts = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "transfers").path)
        #expect(parts == ["boot"])
    }

    @Test("One that finds no room for its file waits for it, and begins when there is some")
    func beginsFull() throws {
        let daemon = try Daemon(downloads.station)
        try disk.fill()
        let id = try add(daemon, "file0")
        try expectWaitsForDisk(daemon, id)
        try FileManager.default.removeItem(at: disk.folder.file("filling"))
        try expectEnd(daemon, id)
    }

    @Test("One whose file cannot be made waits, says why, and begins when it can")
    func noEntries() throws {
        let daemon = try Daemon(downloads.station)
        // Its folders are there, with a first file that has come and gone.
        try downloads.web.add("first", [1, 2, 3])
        let first = try add(daemon, "first")
        try daemon.waitUntil { try look(daemon, first)["state"]?.string == "delivered" }
        let entries = try disk.fillEntries()
        let id = try add(daemon, "file0")
        try expectWaitsForDisk(daemon, id)
        let fault = try #require(try look(daemon, id)["lastFault"]?.string)
        #expect(
            fault.contains("the file of the transfer cannot be made") && fault.contains("No space left on device"),
            "\(fault)")
        try FileManager.default.removeItem(atPath: entries)
        try expectEnd(daemon, id)
    }

    @Test("One that fills the disk stops, waits for room, and resumes where it stopped")
    func becomesFull() throws {
        let daemon = try Daemon(downloads.station)
        let id = try add(daemon, "throttled/file0?rate=1m")
        try downloads.station.waitForPart(id, of: Downloads.application)
        try disk.fill()
        try expectWaitsForDisk(daemon, id)
        let stopped = try look(daemon, id)
        #expect(stopped["received"]?.integer ?? 0 > 0 && stopped["received"]?.integer ?? .max < Int64(Self.size))
        try FileManager.default.removeItem(at: disk.folder.file("filling"))
        try expectEnd(daemon, id)
        try downloads.web.wait(forAnswer: "206 GET /throttled/file0")
    }
}
