import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// An application that tries to have another user's file sent.
@Suite("An upload by a hostile application")
struct HostileUploadTests {
    /// Readable by every user of the machine, and granted to no application.
    private static let secret = "nobody's business"
    private static let busy = "location /busy/ { add_header Retry-After 2 always; return 503; }"

    private let bench: TransferBench
    private let state: String
    private let outside: String

    init() throws {
        bench = try TransferBench(locations: Self.busy)
        // In front it gets events at once.
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.perform("open s", "replay s")
        state = bench.folder("state")
        outside = bench.station.folder.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try write(Self.secret, outside + "/secret")
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        _ = chmod(path, 0o644)
    }

    private func link(_ name: String, to place: String) throws {
        try FileManager.default.createSymbolicLink(atPath: state + "/" + name, withDestinationPath: place)
    }

    /// Uploads it; the last line that the application wrote about it.
    private func upload(_ number: Int, _ path: String, to place: String = "dav") throws -> String {
        try bench.perform("upload s \(bench.web.url("\(place)/sent-\(number)")) \(path)")
        try bench.waitFor("completed s \(number) ")
        return try #require(try bench.trace().last { $0.hasPrefix("completed s \(number) ") })
    }

    private func hasArrived(_ number: Int) -> Bool {
        FileManager.default.fileExists(atPath: bench.web.folder.url.path + "/www/sent-\(number)")
    }

    /// Another transfer ends as it should, and both processes continue.
    private func expectService(_ number: Int) throws {
        try bench.perform("download s \(bench.web.url("a"))")
        try bench.waitFor("completed s \(number) ")
        #expect(try bench.kept(number) == bench.files["a"])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("leads over no link, and to no folder, pipe, device or file of another process")
    func places() throws {
        try link("link", to: outside + "/secret")
        try link("folder", to: outside)
        try link("proc", to: "/proc/self")
        try #require(mkfifo(state + "/pipe", 0o666) == 0)
        var tries: [(path: String, error: Int)] = [
            (state + "/link", -1102), (state + "/folder/secret", -1102), (state + "/proc/environ", -1102),
            (outside + "/secret", -1102), (state + "/../../../outside/secret", -1102),
            (state + "/../cache/../../../../outside/secret", -1102), ("/proc/self/environ", -1102),
            ("/proc/1/environ", -1102), ("/dev/zero", -1102), (state + "/pipe", -1101), (state, -1101),
            ("link", -1102), ("", -1100), ("/", -1102), (state + "/none", -1100),
            (state + "/" + String(repeating: "x", count: 300), -1102),
        ]
        if Machine.isRoot {
            // /dev/zero (makedev(3)).
            try #require(mknod(state + "/zero", S_IFCHR | 0o666, 1 << 8 | 5) == 0)
            tries.append((state + "/zero", -1101))
            // As any user might on a machine without fs.protected_hardlinks.
            let foreign = outside + "/foreign"
            try write(Self.secret, foreign)
            _ = chmod(foreign, 0o600)
            try #require(Glibc.link(foreign, state + "/hard") == 0)
            tries.append((state + "/hard", -1102))
        }
        for (place, (path, error)) in tries.enumerated() {
            let end = try upload(place + 1, path)
            #expect(end.contains(" error \(error) "), "\(path): \(end)")
            #expect(!hasArrived(place + 1), "\(path)")
        }
        // Its own file arrives.
        try write("its own", state + "/own")
        let end = try upload(tries.count + 1, state + "/own")
        #expect(end.contains(" error 0 ") && hasArrived(tries.count + 1), "\(end)")
        try expectService(tries.count + 2)
    }

    @Test("is checked again before each attempt")
    func swapped() throws {
        try write(String(Self.secret.reversed()), state + "/photo")
        try bench.perform("upload s \(bench.web.url("busy/photo")) \(state)/photo")
        try bench.daemon.waitUntil { try bench.transfers()[0]["attempts"]?.integer == 1 }
        try FileManager.default.removeItem(atPath: state + "/photo")
        try link("photo", to: outside + "/secret")
        try bench.waitFor("completed s 1 ")
        let end = try #require(try bench.trace().last { $0.hasPrefix("completed s 1 ") })
        #expect(end.contains(" error -1102 ") && end.contains("has a link"), "\(end)")
        try bench.web.wait(forAnswer: "503 POST /busy/photo")
        #expect(bench.web.answers.count { $0.contains("POST /busy") } == 1)
        try expectService(2)
    }

    @Test("has no other bytes than its file has, however that changes while it is sent")
    func shrinks() throws {
        let path = state + "/photo"
        try Data(count: 40 << 20).write(to: URL(filePath: path))
        try bench.perform("upload s \(bench.web.url("dav/photo")) \(path)")
        _ = truncate(path, 10)
        try bench.waitFor("completed s 1 ")
        let end = try #require(try bench.trace().last { $0.hasPrefix("completed s 1 ") })
        let kept = bench.web.folder.path + "/www/photo"
        let size = try? FileManager.default.attributesOfItem(atPath: kept)[.size] as? Int
        // Unless it was faster than this.
        #expect(end.contains(" error 0 ") ? size == 40 << 20 : size == nil, "\(end)")
        try expectService(2)
    }
}
