import Foundation
import Glibc
import Linux
import TaskModel
import TestSupport
import Testing
import Transferring
import Wire

/// What happens to a part that another attempt has left.
struct ResumptionTests {
    private static let content = Bench.content(300_000)

    /// An order that resumes where the first one stopped, as the host makes it.
    private func next(_ first: TransferOrder, _ bench: Bench) throws -> TransferOrder {
        let end = try #require(bench.end(of: first))
        var order = bench.order(first.url)
        guard !end.isFileUseless, let answer = bench.answer(of: first) else { return order }
        order.offset = end.received
        order.validator = answer.validator
        order.total = answer.total
        return order
    }

    private func origin() throws -> Origin {
        let origin = try Origin()
        try origin.add("file", Self.content)
        return origin
    }

    @Test func `A cut download resumes, and the parts are one file`() throws {
        let origin = try origin()
        let bench = try Bench()
        var order = bench.order(origin.url("flap?file=file&sent=70000&times=3"))
        var results: [TransferResult] = []
        repeat {
            results.append(try bench.run(order))
            if results.last?.kind == .interrupted { order = try next(order, bench) }
        } while results.last?.kind == .interrupted && results.count < 10
        #expect(results.map(\.kind) == [.interrupted, .interrupted, .interrupted, .finished])
        #expect(results.map(\.received) == [70_000, 140_000, 210_000, 300_000])
        #expect(results.first?.error == .connectionLost)
        #expect(try bench.bytes() == Self.content)
    }

    @Test func `A server that knows no ranges starts again in place`() throws {
        let origin = try origin()
        let bench = try Bench()
        let first = bench.order(origin.url("rangeless?file=file&sent=70000"))
        #expect(try bench.run(first).received == 70_000)
        let second = try next(first, bench)
        #expect(second.offset == 70_000)
        #expect(try bench.run(second).kind == .finished)
        #expect(bench.answer(of: second)?.offset == 0)
        #expect(try bench.bytes() == Self.content)
    }

    @Test func `A file that has changed on the server starts again`() throws {
        let origin = try origin()
        let bench = try Bench()
        let first = bench.order(origin.url("changing?file=file&sent=70000"))
        #expect(try bench.run(first).kind == .interrupted)
        let second = try next(first, bench)
        #expect(second.validator == "\"turn-0\"")
        #expect(try bench.run(second).kind == .finished)
        #expect(bench.answer(of: second)?.response.status == 200)
        #expect(try bench.bytes() == [1] + Self.content.dropFirst())
    }

    @Test func `Another part than the one that was asked for makes the file useless`() throws {
        let origin = try origin()
        let bench = try Bench()
        let first = bench.order(origin.url("wrong-part?file=file&sent=1000"))
        #expect(try bench.run(first).kind == .interrupted)
        let result = try bench.run(try next(first, bench))
        #expect(result.kind == .interrupted)
        #expect(result.isFileUseless)
    }

    @Test func `A part longer than the file makes it useless`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let first = bench.order(server.url("file"))
        _ = try bench.run(first)
        var second = try next(first, bench)
        second.total = nil
        let result = try bench.run(second)
        #expect(result.kind == .interrupted)
        #expect(result.isFileUseless)
        try server.wait(forAnswer: "416 GET /file range=bytes=300000-")
    }

    @Test func `Of a part that is whole the last byte is asked for, for the sake of the answer`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        let first = bench.order(server.url("file"))
        _ = try bench.run(first)
        let second = try next(first, bench)
        #expect(second.offset == second.total)
        #expect(try bench.run(second).kind == .finished)
        #expect(bench.answer(of: second)?.offset == 299_999)
        #expect(try bench.bytes() == Self.content)
    }

    @Test(arguments: ["weak", "unvalidated"])
    func `Nothing weak guards a part`(_ path: String) throws {
        let origin = try origin()
        let bench = try Bench()
        let first = bench.order(origin.url("\(path)?file=file&sent=70000"))
        #expect(try bench.run(first).kind == .interrupted)
        #expect(bench.answer(of: first)?.validator == "")
        let second = try next(first, bench)
        #expect(try bench.run(second).kind == .finished)
        #expect(bench.answer(of: second)?.offset == 0)
        #expect(try bench.bytes() == Self.content)
    }

    @Test func `A date guards a part`() throws {
        let server = try WebServer(locations: "location /dated/ { etag off; }")
        let path = try server.add("dated/file", Self.content)
        var times = [timespec(tv_sec: 1_600_000_000, tv_nsec: 0), timespec(tv_sec: 1_600_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, &times, 0)
        let bench = try Bench()
        let first = bench.order(server.url("dated/file"))
        #expect(try bench.run(first).kind == .finished)
        #expect(bench.answer(of: first)?.validator == "Sun, 13 Sep 2020 12:26:40 GMT")
        try bench.folder.write("part", Self.content.prefix(1000))
        var second = try next(first, bench)
        second.offset = 1000
        #expect(try bench.run(second).kind == .finished)
        #expect(bench.answer(of: second)?.response.status == 206)
        #expect(try bench.bytes() == Self.content)
    }

    private static let dates = (first: "Tue, 03 Nov 2020 10:00:00 GMT", later: "Wed, 04 Nov 2020 10:00:00 GMT")

    /// The fields of the first answer, those of the second, and whether they are of one version.
    @Test(arguments: [
        ("m=\(dates.first)", "m2=\(dates.first)", true), ("m=\(dates.first)", "m2=\(dates.later)", false),
        ("m=\(dates.first)", "", false), ("m=\(dates.first)", "m2=\(dates.first)&e2=%22a%22", false),
        ("e=%22a%22", "e2=%22a%22", true), ("e=%22a%22", "e2=%22b%22", false), ("e=%22a%22", "", false),
        ("e=%22a%22", "e2=W/%22a%22", false),
        ("e=%22a%22&m=\(dates.first)", "e2=%22a%22&m2=\(dates.first)", true),
        ("e=%22a%22&m=\(dates.first)", "e2=%22a%22&m2=\(dates.later)", false),
        ("e=%22a%22&m=\(dates.first)", "e2=%22a%22", false), ("e=%22a%22&m=\(dates.first)", "m2=\(dates.first)", false),
        // Of the date of the answer itself: weak.
        ("e=%22a%22&m=Thu, 26 Nov 2020 16:00:00 GMT", "e2=%22a%22", true),
        ("e=%22a%22", "e2=%22a%22&total=*", true), ("e=%22a%22", "e2=%22a%22&total=300001", false),
    ])
    func `A part of another version is not joined`(_ first: String, _ later: String, _ isSame: Bool) throws {
        let origin = try origin()
        let bench = try Bench()
        let query = "\(first)&\(later)".replacingOccurrences(of: " ", with: "%20")
        let begun = bench.order(origin.url("joined?file=file&sent=70000&\(query)"))
        #expect(try bench.run(begun).received == 70_000)
        let second = try next(begun, bench)
        #expect(second.offset == 70_000)
        let result = try bench.run(second)
        #expect(result.kind == (isSame ? .finished : .interrupted) && result.isFileUseless == !isSame, "\(result)")
        if isSame { #expect(try bench.bytes() == Self.content) }
    }

    @Test(arguments: [
        ("Thu, 26 Nov 2020 16:00:00 GMT", false), ("Thu, 26 Nov 2020 16:00:01 GMT", false), ("yesterday", false),
        ("Thu, 26 Nov 2020 15:59:59 GMT", true),
    ])
    func `A date guards a part where it is a second older than the answer`(_ date: String, _ isStrong: Bool) throws {
        let origin = try origin()
        let bench = try Bench()
        let query = date.replacingOccurrences(of: " ", with: "%20")
        let order = bench.order(origin.url("joined?file=file&m=\(query)"))
        #expect(try bench.run(order).kind == .interrupted)
        #expect(bench.answer(of: order)?.validator == (isStrong ? date : ""))
    }

    @Test func `What goes wrong at the server for a while leaves the part as it is`() throws {
        let origin = try origin()
        let bench = try Bench()
        try bench.folder.write("part", Self.content.prefix(1000))
        var order = bench.order(origin.url("status?code=502"))
        order.offset = 1000
        order.validator = "\"a\""
        let result = try bench.run(order)
        #expect(result.kind == .interrupted)
        #expect(result.received == 1000)
        #expect(!result.isFileUseless)
        #expect(try bench.bytes() == Array(Self.content.prefix(1000)))
    }

    @Test func `A server that names a time is asked again then`() throws {
        let origin = try origin()
        let bench = try Bench()
        let result = try bench.run(bench.order(origin.url("status?code=503&retry=17")))
        #expect(result.status == 503)
        #expect(result.kind == .interrupted)
        #expect(result.retryAfter == 17)
    }

    @Test func `A stopped download resumes`() throws {
        let server = try WebServer()
        try server.add("file", Self.content)
        let bench = try Bench()
        var first = bench.order(server.url("throttled/file?rate=100k"))
        first.isObserved = true
        try bench.begin(first)
        try bench.wait("progress", until: { bench.progress(of: first).last ?? 0 > 0 })
        bench.process.stop(first.transfer)
        bench.commit()
        let end = try bench.result(of: first)
        #expect(end.kind == .stopped)
        #expect(try bench.bytes() == Array(Self.content.prefix(Int(end.received))))
        var second = try next(first, bench)
        second.url = server.url("file")
        #expect(try bench.run(second).kind == .finished)
        #expect(try bench.bytes() == Self.content)
    }
}
