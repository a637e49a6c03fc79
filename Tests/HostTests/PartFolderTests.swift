import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@testable import Host

/// The host's own folder of an application's unfinished files.
struct PartFolderTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func part() -> Data? { FileManager.default.contents(atPath: folder.url.path + "/transfers/1.part") }

    /// As a host that starts in that boot.
    private func start(_ boot: String, durable: Int64?) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "cache"), withIntermediateDirectories: true)
        let parts = try PartFolder(in: folder.url.path, cache: folder.url.path + "/cache", identity: .host())
        try parts.settleBoot(boot) { _ in durable }
    }

    @Test func `Each boot cuts files to what is on disk for certain, however many there were`() throws {
        let boots = (0..<6).map { _ in UUID().uuidString.lowercased() + "\n" }
        try start(boots[0], durable: 0)
        for (count, boot) in boots.enumerated() {
            let size = 1000 + count
            try Data(count: size).write(to: folder.url.appending(path: "transfers/1.part"))
            let before = count == 0 ? size : size - 10
            try start(boot, durable: Int64(size - 10))
            #expect(part()?.count == before)
            try start(boot, durable: 0)
            #expect(part()?.count == before, "once a boot")
        }
    }

    @Test func `A mark that cannot be read is that of another boot`() throws {
        let boot = UUID().uuidString + "\n"
        try start(boot, durable: 0)
        try Data(count: 1000).write(to: folder.url.appending(path: "transfers/boot"))
        try Data(count: 50).write(to: folder.url.appending(path: "transfers/1.part"))
        try start(boot, durable: 20)
        #expect(part()?.count == 20)
        try start(boot, durable: 0)
        #expect(part()?.count == 20)
    }
}
