import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("The file of an upload that changes between two attempts")
struct UploadSourceTests {
    /// A server that is busy: each attempt is made again after some seconds.
    private static let busy = "location /busy/ { add_header Retry-After 2 always; return 503; }"

    /// Changes the file's content, and nothing of what a listing shows.
    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Puts another file of the same size, date and content in its place.
    private static func replace(_ path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw TestSupport.Problem("stat: \(errno)") }
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: path + ".new"))
        let times = [facts.st_atim, facts.st_mtim]
        guard utimensat(AT_FDCWD, path + ".new", times, 0) == 0, rename(path + ".new", path) == 0 else {
            throw TestSupport.Problem("replace: \(errno)")
        }
    }

    @Test("It ends with -1021, though its size is the same", arguments: [false, true], [false, true])
    func changes(isReplaced: Bool, hostRestarts: Bool) throws {
        let bench = try TransferBench(locations: Self.busy)
        let path = bench.folder("state") + "/photo"
        try bench.perform("sleep 0")
        try Self.write([UInt8](repeating: 1, count: 30_000), path)
        try bench.perform("open s", "replay s", "upload s \(bench.web.url("busy/photo")) \(path)")
        try bench.daemon.waitUntil {
            let transfer = try bench.transfers()[0]
            return transfer["attempts"]?.integer == 1 && transfer["waitsFor"]?.string == "backoff"
        }
        if hostRestarts { try bench.daemon.kill() }
        if isReplaced { try Self.replace(path) } else { try Self.write([UInt8](repeating: 2, count: 30_000), path) }
        let daemon = hostRestarts ? try Daemon(bench.station) : bench.daemon
        if hostRestarts { try daemon.tell("device", "set", "power=external") }
        try bench.waitFor("completed s 1")
        let end = try #require(try bench.trace().last { $0.hasPrefix("completed s 1") })
        #expect(end.contains(" error -1021 ") && end.contains("changed between two attempts; \(path)"), "\(end)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("It is tried again as long as it is the same, and the transfer says how much there is to send")
    func stays() throws {
        let bench = try TransferBench(locations: Self.busy)
        let path = bench.folder("state") + "/photo"
        try bench.perform("sleep 0")
        try Self.write([UInt8](repeating: 1, count: 30_000), path)
        try bench.perform("open s", "replay s", "upload s \(bench.web.url("busy/photo")) \(path)")
        try bench.daemon.waitUntil { try bench.transfers()[0]["attempts"]?.integer == 2 }
        try bench.kill()
        try bench.perform("have s")
        let known = try #require(try bench.trace().last { $0.hasPrefix("known s 1 ") })
        #expect(known.contains(" of 30000 "), "\(known)")
        #expect(try bench.daemon.stop().status == 0)
    }
}
