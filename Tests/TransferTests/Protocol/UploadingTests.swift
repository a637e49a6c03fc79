import Foundation
import Glibc
import TaskModel
import TestSupport
import Transferring
import Testing
import Wire

@Suite("Uploads, to real servers", .disabled(if: Places.isSanitized, "the built program is another one"))
struct UploadingTests {
    private static let content = Bench.content(2_000_000)

    @Test func `A PUT to nginx leaves the file there, and its answer here`() throws {
        let web = try WebServer()
        let bench = try Bench()
        for (name, content) in [("small", Bench.content(10)), ("large", Self.content), ("empty", [])] {
            let order = try bench.upload(web.url("dav/\(name)"), content)
            let result = try bench.runUpload(order)
            #expect(result.kind == .finished && result.sent == Int64(content.count), "\(name): \(result)")
            #expect(bench.answer(of: order)?.response.status == 201)
            #expect(try Array(Data(contentsOf: web.folder.file("www/\(name)"))) == content)
        }
    }

    @Test func `A POST goes by TLS and HTTP 2 too`() throws {
        let origin = try Origin()
        let web = try WebServer(origin: origin)
        let bench = try Bench()
        var order = try bench.upload(
            web.url("origin/sink?name=kept&code=422&answer=5000", by: .secure), Self.content, method: "POST")
        let authority = try Authority.shared.get()
        order.authorities = try authority.bytes(authority.path)
        let result = try bench.runUpload(order)
        #expect(result.kind == .finished && result.received == 5000, "\(result)")
        #expect(bench.answer(of: order)?.response.status == 422)
        #expect(try bench.answer.hasPrefix("2000000 "))
        #expect(try Array(Data(contentsOf: origin.folder.file("kept"))) == Self.content)
    }

    @Test func `Of a long answer the beginning is kept`() throws {
        let origin = try Origin()
        let bench = try Bench()
        var order = try bench.upload(origin.url("sink?answer=300000"), [1, 2, 3])
        order.sizeLimit = 100_000
        #expect(try bench.runUpload(order).kind == .finished)
        #expect(try bench.bytes("answer").count == 100_000)
    }

    @Test func `An answer that comes before the content is taken`() throws {
        let origin = try Origin()
        let bench = try Bench()
        let order = try bench.upload(origin.url("sink?early=413"), Self.content)
        let result = try bench.runUpload(order)
        #expect(result.kind == .finished, "\(result)")
        #expect(bench.answer(of: order)?.response.status == 413)
    }

    @Test func `A plain one that was cut starts again`() throws {
        let origin = try Origin()
        let bench = try Bench()
        let order = try bench.upload(origin.url("sink?name=kept&cut=500000"), Self.content)
        let first = try bench.runUpload(order)
        #expect(first.kind == .interrupted && first.error == .connectionLost, "\(first)")
        #expect(first.sent > 0 && bench.place(of: order) == nil)
        var again = order
        again.transfer.index += 50
        #expect(try bench.runUpload(again).kind == .finished)
        #expect(try Array(Data(contentsOf: origin.folder.file("kept"))) == Self.content)
    }

    // MARK: Resumable

    @Test(
        arguments: [("resumable", TransferOrder.Upload.resumable), ("tus", .tus)], ["cut=700000", "cut=700000&reset=1"])
    func `An upload resumes where it was cut, time and again`(
        kind: (place: String, upload: TransferOrder.Upload), fault: String
    ) throws {
        let origin = try Origin()
        let bench = try Bench()
        var order = try bench.upload(
            origin.url("\(kind.place)?name=kept&\(fault)&times=2"), Self.content, kind.upload, method: "POST")
        order.headers = [HTTPHeader("Tus-Resumable", "1.0.0"), HTTPHeader("X-Own", "1")]
        var results: [TransferResult.Kind] = []
        for turn in 0..<3 {
            order.transfer.index += 50
            let result = try bench.runUpload(order)
            results.append(result.kind)
            if let place = bench.place(of: order) {
                #expect(turn == 0 && place.hasPrefix(origin.url("")))
                order.uploadLocation = place
            }
        }
        #expect(results == [.interrupted, .interrupted, .finished])
        #expect(try Array(Data(contentsOf: origin.folder.file("kept"))) == Self.content)
        try origin.wait(forAnswer: "HEAD /", count: 2)
        try origin.wait(forAnswer: "upload-offset=700000")
        try origin.wait(forAnswer: "upload-offset=1400000")
        if kind.upload == .resumable { #expect(try bench.answer.hasPrefix("2000000 ")) }
    }

    @Test func `Without a cut the draft is one request`() throws {
        let origin = try Origin()
        let bench = try Bench()
        let order = try bench.upload(origin.url("resumable?name=kept"), Self.content, .resumable)
        #expect(try bench.runUpload(order).kind == .finished)
        try origin.wait(forAnswer: "PUT /resumable?name=kept 200")
        #expect(origin.answers.count == 1)
        let informed = bench.interim(of: order)
        #expect(informed.map(\.status) == [104] && informed.first?.url == order.url, "\(informed)")
        #expect(informed.first?.headers.contains { $0.name == "Location" } == true, "\(informed)")
        // Of a server without the draft too, and of one that speaks another version.
        for target in ["sink?name=kept", "resumable?name=kept&silent=1", "resumable?name=kept&version=3"] {
            let order = try bench.upload(origin.url(target), Self.content, .resumable)
            #expect(try bench.runUpload(order).kind == .finished, "\(target)")
            #expect(bench.place(of: order) == nil)
        }
    }

    @Test(arguments: [("resumable", TransferOrder.Upload.resumable), ("tus", .tus)])
    func `What the server has forgotten is sent again`(place: String, upload: TransferOrder.Upload) throws {
        let origin = try Origin()
        let bench = try Bench()
        var order = try bench.upload(
            origin.url("\(place)?name=kept&cut=700000&lost=1"), Self.content, upload, method: "POST")
        #expect(try bench.runUpload(order).kind == .interrupted)
        order.uploadLocation = try #require(bench.place(of: order))
        order.url = origin.url("\(place)?name=kept")
        order.transfer.index += 50
        let result = try bench.runUpload(order)
        #expect(result.kind == .finished, "\(result)")
        let places = (bench.reports[order.transfer] ?? []).compactMap { report in
            if case .uploadCreated(let location) = report { location } else { nil }
        }
        #expect(places.count == 2 && places[0].isEmpty && !places[1].isEmpty, "\(places)")
        #expect(try Array(Data(contentsOf: origin.folder.file("kept"))) == Self.content)
    }

    @Test func `A server that takes little at once gets it in parts`() throws {
        let origin = try Origin()
        let bench = try Bench()
        let order = try bench.upload(origin.url("resumable?name=kept&most=700000"), Self.content, .resumable)
        let result = try bench.runUpload(order)
        #expect(result.kind == .finished && result.sent == 2_000_000, "\(result)")
        #expect(try Array(Data(contentsOf: origin.folder.file("kept"))) == Self.content)
        for offset in [0, 700_000, 1_400_000] { try origin.wait(forAnswer: "upload-offset=\(offset)\n") }
        #expect(try bench.answer.hasPrefix("2000000 "))
    }

    @Test func `A place that is not granted is not gone to`() throws {
        let origin = try Origin()
        let other = try Origin()
        let bench = try Bench()
        var order = try bench.upload(origin.url("tus"), Self.content, .tus, method: "POST")
        order.uploadLocation = other.url("tus/1")
        order.grants = [NetworkGrant(.loopback, port: origin.port)]
        let result = try bench.runUpload(order)
        #expect(result.kind == .failed && result.error == .notPermitted, "\(result)")
    }

    // MARK: The file

    @Test func `A file that changed or vanished meanwhile fails, and says so`() throws {
        let origin = try Origin()
        let bench = try Bench()
        var order = try bench.upload(origin.url("sink"), Self.content)
        order.total = 10
        let other = try bench.runUpload(order)
        #expect(other.kind == .failed && other.error == .uploadFileChanged, "\(other)")
        // Under way: it is sent slowly until the file is another one.
        for (change, error) in [
            ("shorter", TransferError.uploadFileChanged), ("longer", .uploadFileChanged), ("same", nil),
        ] {
            var order = try bench.upload(origin.url("sink?\(change)"), Bench.content(8_000_000))
            order.rate = 1 << 20
            order.isObserved = true
            try bench.beginUpload(order)
            try bench.wait("progress") {
                bench.reports[order.transfer]?.contains { if case .progress = $0 { true } else { false } } ?? false
            }
            let path = bench.folder.file("source").path
            if change == "shorter" { truncate(path, 1000) }
            if change == "longer" { try Data([1]).append(to: path) }
            bench.process.setRate(0, of: order.transfer)
            bench.commit()
            let result = try bench.result(of: order)
            #expect(
                result.kind == (error == nil ? .finished : .failed) && result.error == error, "\(change): \(result)")
        }
    }
}

extension Data {
    fileprivate func append(to path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: self)
        try file.close()
    }
}
