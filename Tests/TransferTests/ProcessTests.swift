import CLinux
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Transferring
import Wire

/// The life of the transfer process.
struct ProcessTests {
    private func server() throws -> WebServer {
        let server = try WebServer()
        try server.add("file", Bench.content(300_000))
        return server
    }

    @Test func `It is started at the first order, and let go when it had none for half a minute`() throws {
        let server = try server()
        let bench = try Bench()
        #expect(bench.process.pid == nil)
        #expect(bench.process.nextDeadline == .distantFuture)
        let order = bench.order(server.url("file"))
        try bench.begin(order)
        #expect(bench.process.nextDeadline == .distantFuture)
        #expect(try bench.result(of: order).kind == .finished)
        let pid = try #require(bench.process.pid)
        var now = Clock.moment()
        #expect(bench.process.nextDeadline > now.instant + .seconds(20))
        #expect(bench.process.nextDeadline <= now.instant + .seconds(30))
        now.instant = bench.process.nextDeadline
        bench.process.advance(to: now)
        #expect(bench.process.pid == nil)
        try bench.wait("the end of the process", until: { kill(pid, 0) != 0 && errno == ESRCH })
        #expect(bench.losses.isEmpty)
        #expect(try bench.run(bench.order(server.url("file"))).kind == .finished)
        #expect(bench.process.pid != pid)
    }

    @Test func `Its death is reported once, and the next order starts another`() throws {
        let server = try server()
        let bench = try Bench()
        let orders = (0..<3).map { _ in bench.order(server.url("throttled/file?rate=50k")) }
        for order in orders { try bench.begin(order, file: "\(order.transfer.index)") }
        try bench.wait("answers", until: { orders.allSatisfy { bench.answer(of: $0) != nil } })
        let pid = try #require(bench.process.pid)
        kill(pid, SIGKILL)
        try bench.wait("the loss", until: { !bench.losses.isEmpty })
        #expect(bench.losses.count == 1)
        #expect(bench.losses[0].contains("signal 9"))
        #expect(bench.process.pid == nil)
        let next = bench.order(server.url("file"))
        try bench.begin(next)
        try bench.wait("the end", until: { bench.end(of: next) != nil })
        #expect(bench.end(of: next)?.kind == .finished)
        #expect(bench.losses.count == 1)
    }

    @Test(arguments: ["echo garbage >&3", "exit 3", "exec sleep 3 3>&-"])
    func `One that is none is lost`(_ script: String) throws {
        let folder = try TestSupport.Folder()
        // Written by another process: one that is forked meanwhile would keep it open for writing (ETXTBSY).
        let path = folder.file("taskhost-transfer").path
        let writer = try Program("sh", ["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\"", "sh", script, path])
        #expect(try writer.finish().succeeded)
        chmod(path, 0o755)
        let bench = try Bench(executable: path)
        try bench.begin(bench.order("http://127.0.0.1:1/"))
        try bench.wait("the loss", until: { !bench.losses.isEmpty })
        #expect(bench.losses.count == 1)
        #expect(bench.process.nextDeadline == .distantFuture)
    }

    @Test func `An executable that is missing is an error of the order`() throws {
        let bench = try Bench(executable: "/nonexistent/taskhost-transfer")
        #expect(throws: SystemError.self) { try bench.begin(bench.order("http://127.0.0.1:1/")) }
        #expect(bench.process.pid == nil)
    }

    @Test func `It is confined, and has nothing of the host's`() throws {
        let server = try server()
        let bench = try Bench()
        let order = bench.order(server.url("throttled/file?rate=50k"))
        try bench.begin(order)
        try bench.wait("an answer", until: { bench.answer(of: order) != nil })
        let pid = try #require(bench.process.pid)
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        func field(_ name: String) -> String? {
            status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?.split(separator: "\t").dropFirst().joined(
                separator: " ")
        }
        #expect(field("NoNewPrivs") == "1")
        #expect(field("Seccomp") == "2")
        #expect(field("CapEff") == "0000000000000000")
        guard geteuid() == 0 else { return }
        #expect(field("Uid")?.hasPrefix("1999999999 1999999999") == true)
        #expect(field("Groups")?.allSatisfy(\.isWhitespace) != false)
        let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
        #expect(environment == "PATH=/usr/bin:/bin\0SWIFT_BACKTRACE=enable=no\0")
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(number)")
        }
        #expect(open.filter { $0.hasPrefix("/") && $0 != "/dev/null" }.allSatisfy { $0.hasPrefix(bench.folder.path) })
        #expect(open.count { $0.hasPrefix(bench.folder.path) } == 2)
    }

    @Test func `Files of ended transfers are closed`() throws {
        let server = try server()
        let bench = try Bench()
        for _ in 0..<20 { #expect(try bench.run(bench.order(server.url("file"))).kind == .finished) }
        let pid = try #require(bench.process.pid)
        guard geteuid() == 0 else { return }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(number)")
        }
        #expect(!open.contains { $0.hasPrefix(bench.folder.path) })
    }

    @Test func `It does not wake without transfers`() throws {
        let server = try server()
        let bench = try Bench()
        #expect(try bench.run(bench.order(server.url("file"))).kind == .finished)
        let pid = try #require(bench.process.pid)
        func switches() throws -> [Substring] {
            try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n").filter {
                $0.hasPrefix("voluntary_ctxt_switches")
            }
        }
        try bench.loop.run(for: .milliseconds(300), until: { false })
        let before = try switches()
        try bench.loop.run(for: .seconds(1), until: { false })
        #expect(try switches() == before)
    }
}
