import TaskModel
import Testing
import Wire

@testable import Transfer

@Suite("Uploads, request by request")
struct UploadPlanTests {
    private static let total: Int64 = 1000

    private func plan(
        _ kind: TransferOrder.Upload, location: String = "", headers: [HTTPHeader] = []
    ) throws -> UploadPlan {
        var order = TransferOrder(
            transfer: TransferHandle(index: 1, generation: 1), kind: .upload, url: "http://h/up", method: "PUT")
        order.upload = kind
        order.uploadLocation = location
        order.headers = headers
        return UploadPlan(order, url: try #require(TransferURL(order.url)), total: Self.total)
    }

    private func answer(_ status: UInt16, _ headers: (String, String)...) -> Transfer.Answer {
        var answer = Transfer.Answer()
        answer.status = status
        answer.headers = headers.map { HTTPHeader($0.0, $0.1) }
        return answer
    }

    private func value(_ request: UploadPlan.Request, _ name: String) -> String? {
        request.headers.first { $0.name == name }?.value
    }

    @Test(arguments: [200, 201, 401, 413, 500] as [UInt16])
    func `A plain one is one request, whatever the answer is`(status: UInt16) throws {
        var plan = try plan(.plain, location: "http://h/part/1", headers: [HTTPHeader("X-Own", "1")])
        #expect(plan.next.method == "PUT" && plan.next.content == 0..<Self.total && plan.next.headers.count == 1)
        #expect(plan.take(answer(status), of: plan.next.url) == .finished)
    }

    @Test func `A place that is too long to be kept serves this attempt alone`() throws {
        var plan = try plan(.tus)
        let place = "http://h/" + String(repeating: "x", count: TransferLimit.url)
        #expect(plan.take(answer(201, ("Location", place)), of: plan.next.url) == .goesOn)
        #expect(plan.next.url.text == place && plan.keptLocation.isEmpty)
        plan = try self.plan(.tus)
        #expect(plan.take(answer(201, ("Location", "/u/1")), of: plan.next.url) == .goesOn)
        #expect(plan.keptLocation == "http://h/u/1")
    }

    @Test func `A server without the draft is asked once`() throws {
        var plan = try plan(.resumable)
        #expect(value(plan.next, "Upload-Complete") == "?1" && value(plan.next, "Upload-Length") == "1000")
        #expect(value(plan.next, "Upload-Draft-Interop-Version") == "8")
        #expect(plan.take(answer(200), of: plan.next.url) == .finished)
        #expect(plan.location == nil)
    }

    @Test func `The place of the draft's interim answer counts, of the right version alone`() throws {
        var plan = try plan(.resumable)
        let url = plan.next.url
        #expect(plan.takeInterim(answer(104, ("Location", "/part/1")), of: url) == nil)
        let other = answer(104, ("Location", "/part/1"), ("Upload-Draft-Interop-Version", "6"))
        #expect(plan.takeInterim(other, of: url) == nil)
        let right = answer(104, ("Location", "/part/1"), ("Upload-Draft-Interop-Version", "8"))
        #expect(plan.takeInterim(right, of: url)?.text == "http://h/part/1")
        #expect(plan.takeInterim(right, of: url) == nil)
        #expect(
            plan.take(answer(503), of: url)
                == .interrupted(.badServerResponse, "the server answered 503 and keeps its part"))
        #expect(plan.take(answer(200), of: url) == .finished)
    }

    @Test func `An upload of the draft resumes where the server says`() throws {
        let secret = [
            HTTPHeader("Authorization", "x"), HTTPHeader("Content-Type", "text/plain"), HTTPHeader("X-Own", "1"),
        ]
        var plan = try plan(.resumable, location: "http://h/part/1", headers: secret)
        #expect(plan.next.method == "HEAD" && plan.next.content == nil)
        #expect(
            plan.take(answer(204, ("Upload-Offset", "400"), ("Upload-Complete", "?0")), of: plan.next.url) == .goesOn)
        let patch = plan.next
        #expect(patch.method == "PATCH" && patch.content == 400..<1000 && value(patch, "Upload-Offset") == "400")
        #expect(value(patch, "Content-Type") == "application/partial-upload" && value(patch, "Authorization") == "x")
        #expect(plan.take(answer(409, ("Upload-Offset", "500")), of: patch.url) == .goesOn)
        #expect(plan.next.method == "HEAD")
        #expect(plan.take(answer(204, ("Upload-Offset", "500"), ("Upload-Complete", "?0")), of: patch.url) == .goesOn)
        // The answer of the target, whatever it is.
        #expect(plan.take(answer(422, ("Upload-Complete", "?1")), of: patch.url) == .finished)
        #expect(plan.offset == Self.total)
    }

    @Test func `What is complete is not sent again, and what is lost starts again`() throws {
        var plan = try plan(.resumable, location: "http://h/part/1")
        #expect(
            plan.take(answer(204, ("Upload-Offset", "1000"), ("Upload-Complete", "?1")), of: plan.next.url) == .finished
        )
        for kind in [TransferOrder.Upload.resumable, .tus] {
            var lost = try self.plan(kind, location: "http://other/part/1", headers: [HTTPHeader("Authorization", "x")])
            #expect(value(lost.next, "Authorization") == nil)
            #expect(lost.take(answer(404), of: lost.next.url) == .goesOn)
            #expect(lost.location == nil && lost.next.url.text == "http://h/up")
            #expect(lost.next.method == (kind == .tus ? "POST" : "PUT"))
        }
    }

    @Test func `A server that has more than the file holds cannot be gone on with`() throws {
        for kind in [TransferOrder.Upload.resumable, .tus] {
            var plan = try plan(kind, location: "http://h/part/1")
            guard case .useless = plan.take(answer(200, ("Upload-Offset", "1001")), of: plan.next.url) else {
                Issue.record("\(kind)")
                continue
            }
        }
    }

    @Test func `A server's bound of a request is kept`() throws {
        var plan = try plan(.resumable, location: "http://h/part/1")
        let state = answer(
            204, ("Upload-Offset", "100"), ("Upload-Complete", "?0"),
            ("Upload-Limit", "max-age=9, max-append-size = 600"))
        #expect(plan.take(state, of: plan.next.url) == .goesOn)
        #expect(plan.next.content == 100..<700 && value(plan.next, "Upload-Complete") == "?0")
        #expect(plan.take(answer(204, ("Upload-Complete", "?0")), of: plan.next.url) == .goesOn)
        #expect(plan.next.content == 700..<1000 && value(plan.next, "Upload-Complete") == "?1")
        #expect(plan.take(answer(201), of: plan.next.url) == .finished)
    }

    @Test func `tus creates, appends, and is done at the end`() throws {
        var plan = try plan(
            .tus, headers: [HTTPHeader("Tus-Resumable", "1.0.0"), HTTPHeader("Upload-Metadata", "n eA==")])
        #expect(plan.next.method == "POST" && plan.next.content == 0..<0)
        #expect(value(plan.next, "Upload-Length") == "1000" && value(plan.next, "Upload-Metadata") == "n eA==")
        #expect(plan.next.headers.filter { $0.name == "Tus-Resumable" }.count == 1)
        #expect(plan.take(answer(201, ("Location", "/tus/7")), of: plan.next.url) == .goesOn)
        #expect(plan.location?.text == "http://h/tus/7" && plan.next.content == 0..<1000)
        #expect(value(plan.next, "Content-Type") == "application/offset+octet-stream")
        #expect(plan.take(answer(204, ("Upload-Offset", "600")), of: plan.next.url) == .goesOn)
        #expect(plan.next.content == 600..<1000)
        #expect(plan.take(answer(204, ("Upload-Offset", "1000")), of: plan.next.url) == .finished)
        var refused = try self.plan(.tus)
        #expect(refused.take(answer(413), of: refused.next.url) == .finished)
    }

    @Test(arguments: [TransferOrder.Upload.resumable, .tus])
    func `A server that leads around in circles is left`(kind: TransferOrder.Upload) throws {
        var plan = try plan(kind, location: "http://h/part/1")
        var turns = 0
        while turns < 100 {
            turns += 1
            let isAsked = plan.next.method == "HEAD"
            let verdict = plan.take(
                isAsked ? answer(200, ("Upload-Offset", "10")) : answer(409, ("Upload-Offset", "10")), of: plan.next.url
            )
            if verdict != .goesOn { break }
        }
        #expect(turns < 20)
    }

    @Test(arguments: [TransferOrder.Upload.resumable, .tus])
    func `A server in trouble is asked again later`(kind: TransferOrder.Upload) throws {
        var plan = try plan(kind, location: "http://h/part/1")
        guard case .interrupted = plan.take(answer(503), of: plan.next.url) else {
            Issue.record("a HEAD")
            return
        }
        #expect(plan.take(answer(200, ("Upload-Offset", "10")), of: plan.next.url) == .goesOn)
        guard case .interrupted = plan.take(answer(500), of: plan.next.url) else {
            Issue.record("a PATCH")
            return
        }
        #expect(plan.location != nil)
    }
}
