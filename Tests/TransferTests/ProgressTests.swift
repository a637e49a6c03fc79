import CLinux
import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Transferring
import Wire

/// What is reported on the way, how fast it goes, and what is on disk.
struct ProgressTests {
    private static let content = Bench.content(300_000)

    @Test func `Progress of what is observed grows, some ten times a second`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        var order = bench.order(server.url("throttled/file?rate=200k"))
        order.isObserved = true
        let start = Clock.moment().instant
        #expect(try bench.run(order).kind == .finished)
        let took = Clock.moment().instant - start
        let progress = bench.progress(of: order)
        #expect(progress.count >= 2)
        #expect(progress.count <= Int(took.seconds * 10) + 2)
        #expect(progress == progress.sorted())
        #expect(Set(progress).count == progress.count)
    }

    @Test func `Progress is not reported unasked, and when it is asked for`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let quiet = bench.order(server.url("throttled/file?rate=300k"))
        let asked = bench.order(server.url("throttled/file?rate=100k"))
        try bench.begin(quiet, file: "quiet")
        try bench.begin(asked, file: "asked")
        try bench.wait("answers", until: { bench.answer(of: quiet) != nil && bench.answer(of: asked) != nil })
        bench.process.observe(true, asked.transfer)
        bench.commit()
        try bench.wait("progress", until: { !bench.progress(of: asked).isEmpty })
        _ = try bench.result(of: quiet)
        #expect(bench.progress(of: quiet).isEmpty)
    }

    @Test func `A transfer goes no faster than it may`() throws {
        let server = try WebServer()
        let content = Bench.content(4_000_000)
        try server.add("file", content)
        let bench = try Bench()
        var order = bench.order(server.url("file"))
        order.rate = 2_000_000
        let start = Clock.moment().instant
        #expect(try bench.run(order).kind == .finished)
        #expect(Clock.moment().instant - start >= .milliseconds(1500))
        #expect(try bench.bytes() == content)
    }

    @Test func `Many small files go no faster than one long one`() throws {
        let server = try WebServer()
        try server.add("file", Self.content.prefix(10_000))
        let bench = try Bench()
        let start = Clock.moment().instant
        for number in 0..<5 {
            var order = bench.order(server.url("file"))
            order.rate = 20_000
            #expect(try bench.run(order, file: "\(number)").kind == .finished)
        }
        #expect(Clock.moment().instant - start >= .milliseconds(2_000))
    }

    @Test func `An upload goes no faster than it may`() throws {
        let server = try WebServer()
        let content = Array(Self.content.prefix(200_000))
        let bench = try Bench()
        try bench.folder.write("source", content)
        var order = bench.order(server.url("dav/up"), kind: .upload, method: "PUT")
        order.total = Int64(content.count)
        order.rate = 100_000
        let start = Clock.moment().instant
        try bench.process.begin(
            order, file: .open(bench.folder.file("part").path, [.O_RDWR, .O_CREAT], mode: 0o600),
            folder: .open(bench.folder.path, [.O_RDONLY, .O_DIRECTORY]),
            source: .open(bench.folder.file("source").path, .O_RDONLY))
        bench.commit()
        #expect(try bench.result(of: order).kind == .finished)
        #expect(Clock.moment().instant - start >= .milliseconds(1_500))
        #expect(try Array(Data(contentsOf: server.folder.file("www/up"))) == content)
    }

    @Test func `A part of a long download is durable on the way`() throws {
        let server = try WebServer()
        let path = try server.add("file", [])
        truncate(path, 104 << 20)
        let bench = try Bench()
        let order = bench.order(server.url("throttled/file?rate=16m"))
        #expect(try bench.run(order).kind == .finished)
        let durable = (bench.reports[order.transfer] ?? []).compactMap { report -> Int64? in
            guard case .durable(let received) = report else { return nil }
            return received
        }
        #expect(durable.count == 1)
        #expect(durable.allSatisfy { $0 >= 64 << 20 && $0 < 104 << 20 })
    }

    @Test func `A rate can be lifted on the way`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        var order = bench.order(server.url("file"))
        // At this pace it would take an hour and a half.
        order.rate = 50
        try bench.begin(order)
        try bench.wait("an answer", until: { bench.answer(of: order) != nil })
        bench.process.setRate(0, of: order.transfer)
        bench.commit()
        #expect(try bench.result(of: order).kind == .finished)
    }

    @Test func `Every end comes after the whole, and every file is right`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let orders = (0..<200).map { _ in bench.order(server.url("file")) }
        for order in orders { try bench.begin(order, file: "\(order.transfer.index)") }
        for order in orders { #expect(try bench.result(of: order).kind == .finished) }
        for order in orders {
            #expect(try bench.bytes("\(order.transfer.index)") == Self.content)
            let reports = try #require(bench.reports[order.transfer])
            #expect(reports.count == 3)
            #expect(reports[1] == .whole(received: 300_000))
        }
    }

    @Test func `Connections are used again`() throws {
        let server = try WebServer(locations: "location /connections { return 200 '$connection'; }")
        let bench = try Bench()
        let numbers = try (0..<5).map { _ in
            let order = bench.order(server.url("connections"))
            #expect(try bench.run(order).kind == .finished)
            return try bench.bytes()
        }
        #expect(Set(numbers).count == 1)
    }

    @Test func `The digest of the whole file is looked at`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        var right = bench.order(server.url("file"))
        let file = try Descriptor.open(server.folder.file("www/file").path, .O_RDONLY)
        right.sha256 = try FileDigest.sha256(of: file.number)
        #expect(try bench.run(right).kind == .finished)
        var wrong = bench.order(server.url("file"))
        wrong.sha256 = Array(repeating: 7, count: 32)
        let result = try bench.run(wrong)
        #expect(result.kind == .failed)
        #expect(result.isFileUseless)
        #expect(result.sentence.contains(FileDigest.text(right.sha256)))
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `A full disk is told apart`() throws {
        let server = try WebServer()
        try server.add("file", Bench.content(3 << 20))
        let disk = try SmallDisk(bytes: 1 << 20)
        let bench = try Bench(folder: disk.folder)
        let result = try bench.run(bench.order(server.url("file")))
        #expect(result.kind == .noSpace)
        #expect(result.received > 0)
    }
}
