import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// An application that tries to reach more than it was granted, or to keep more.
@Suite("The reach of a hostile application's transfers")
struct HostileReachTests {
    private static let elsewhere = """
        location /leave/ { return 302 http://127.0.0.1:1/a; }
        location /name/ { return 302 http://localhost:1/a; }
        location /metadata/ { return 302 http://169.254.169.254/latest; }
        location /number/ { return 302 http://2130706433:1/a; }
        location /mapped/ { return 302 http://[::ffff:127.0.0.1]:1/a; }
        location /most/ { rewrite ^/most/(.*)$ /$1 break; limit_rate_after 700k; limit_rate 10k; }
        location /file/ { return 302 file:///etc/passwd; }
        """

    private func bench(disk: String? = nil, files: [String: Int] = ["a": 40_000]) throws -> TransferBench {
        let bench = try TransferBench(files: files, locations: Self.elsewhere) { manifest in
            guard let disk else { return }
            manifest.setBudget(of: TransferBench.work, ["wallClock": "30s", "grace": "1s", "disk": disk])
        }
        try bench.daemon.tell("foreground", TransferBench.application)
        return bench
    }

    private func line(_ start: String, in bench: TransferBench) throws -> String {
        let trace = try bench.trace()
        return try #require(trace.last { $0.hasPrefix(start + " ") }, "\(start); \(trace)")
    }

    private func end(_ number: Int, in bench: TransferBench) throws -> String {
        try bench.waitFor("completed s \(number) ")
        return try line("completed s \(number)", in: bench)
    }

    @Test("ends with its grants: no proxy and no redirect leads further")
    func elsewhere() throws {
        let bench = try bench()
        let proxies = ["http://127.0.0.1:1", "http://localhost:1", "http://169.254.169.254:80", "http://[::1]:1"]
        let redirects = ["leave/", "name/", "metadata/", "number/", "mapped/", "file/"]
        var lines: [String] = []
        for (index, proxy) in proxies.enumerated() {
            let name = "p\(index)"
            lines += ["open-by \(name) \(proxy)", "replay \(name)", "download \(name) \(bench.web.url("a"))"]
        }
        lines += ["open s", "replay s"] + redirects.map { "download s \(bench.web.url($0))" }
        try bench.perform(lines.joined(separator: "\n"))
        try bench.waitFor("completed ", count: proxies.count + redirects.count)
        for index in proxies.indices {
            let told = try line("completed p\(index) 1", in: bench)
            #expect(told.contains(" error -1022 "), "\(proxies[index]): \(told)")
        }
        for (index, redirect) in redirects.enumerated() {
            let told = try line("completed s \(index + 1)", in: bench)
            // What is no HTTP is not followed, and is no answer.
            #expect(told.contains(redirect == "file/" ? " error -1002 " : " error -1022 "), "\(told)")
        }
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("ends with its grants: forged places of uploads lead no further")
    func uploads() throws {
        let bench = try bench()
        try bench.perform("open s", "replay s")
        let (path, url) = (bench.folder("state") + "/photo", bench.web.url("a"))
        try Data("photo".utf8).write(to: URL(filePath: path))
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        let date = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
        func data(_ size: String, _ location: String) -> String {
            "taskhost.resume-upload/1\n\(size)\n\(date)\n\(facts.st_ino)\n\(location)\n\(url)"
        }
        let away = ["http://127.0.0.1:1/x", "http://localhost:1/x", "http://169.254.169.254/x", "http://[::1]:1/x"]
        let useless = [
            "garbage", data("9223372036854775807", away[0]), data("-1", away[0]), data("18446744073709551616", away[0]),
            "taskhost.resume-upload/1\n5", data("6", away[0]),
        ]
        for (index, forged) in (away.map { data("5", $0) } + useless).enumerated() {
            let digits = forged.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            try bench.perform("forge " + digits.joined(), "continue-upload s \(url) \(path)")
            let told = try end(index + 1, in: bench)
            // nginx takes no POST there: an answer like any other.
            #expect(told.contains(index < away.count ? " error -1022 " : " error 0 "), "\(forged): \(told)")
        }
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("ends with its disk, whether it knows the length or not")
    func large() throws {
        let bench = try bench(disk: "1MiB", files: ["a": 40_000, "large": 3 << 20])
        try bench.perform("open s", "replay s")
        for (index, place) in ["large", "rangeless/large"].enumerated() {
            try bench.perform("download s \(bench.web.url(place))")
            let told = try end(index + 1, in: bench)
            #expect(told.contains(" error -1103 "), "\(place): \(told)")
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: bench.folder("cache"))
        #expect(!kept.contains { $0.hasSuffix(".download") }, "\(kept)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("transfers")) == ["boot"])
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("ends with its disk, however small the files are of which it has too many")
    func many() throws {
        let bench = try bench(disk: "1MiB", files: ["a": 400_000])
        try bench.perform("open s", "replay s")
        func download(_ number: Int) throws -> String {
            try bench.perform("download s \(bench.web.url("a"))")
            return try end(number, in: bench)
        }
        #expect(try download(1).contains(" error 0 "))
        #expect(try download(2).contains(" error 0 "))
        let third = try download(3)
        #expect(third.contains(" error -1103 ") && third.contains("budget.disk"), "\(third)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("transfers")) == ["boot"])
        // What it lets go of is free again.
        try FileManager.default.removeItem(atPath: bench.folder("state/s-1"))
        #expect(try download(4).contains(" error 0 "))
        #expect(try download(5).contains(" error -1103 "))
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("ends with its disk, whatever it keeps for later")
    func parts() throws {
        let bench = try bench(disk: "1MiB", files: ["big": 900_000])
        try bench.perform("open s", "replay s")
        for number in 1...4 {
            try bench.perform("download s \(bench.web.url("most/big"))")
            try bench.waitFor("progress s \(number) #0 received 7")
            try bench.perform("cancel-resumable s \(number)")
            #expect(try end(number, in: bench).contains(" resumable 1 "))
        }
        for number in 1...3 { #expect(try size(of: "\(number).part", in: bench) == 0, "\(number)") }
        #expect(try size(of: "4.part", in: bench) > 600_000)
        #expect(try bench.daemon.stop().status == 0)
    }

    /// Bytes of a file of the host's own folder of the application; 0: it is not there.
    private func size(of part: String, in bench: TransferBench) throws -> Int {
        let path = bench.folder("transfers") + "/" + part
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
