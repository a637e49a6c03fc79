import Foundation
import TestSupport
import Testing

/// Uploads that an application cancels, and continues in another task.
@Suite("Resume data of uploads")
struct UploadResumeTests {
    private let origin: Origin
    private let bench: TransferBench
    private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }

    init() throws {
        let origin = try Origin()
        self.origin = origin
        bench = try TransferBench { $0["permissions"] = ["network": ["loopback:\(origin.port)"]] }
        try bench.daemon.tell("foreground", TransferBench.application)
        try bench.perform("open s", "replay s")
        try write(content)
    }

    private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: bench.folder("state/photo")))
    }

    /// Begins an upload, and cancels it when the server has a part.
    private func beginAndCancel(_ url: String) throws {
        try bench.perform("upload s \(url) $STATE/photo")
        try origin.wait(forAnswer: "held go")
        try bench.perform("cancel-resumable s 1")
        try bench.waitFor("completed s 1")
        try origin.add("go", [])
    }

    private func goOn(_ url: String) throws {
        try bench.perform("continue-upload s \(url) $STATE/photo")
        try bench.waitFor("completed s 2")
        let trace = try bench.trace()
        #expect(
            trace.contains { $0.hasPrefix("completed s 2") && $0.contains("error 0 reason -1 status 200") }, "\(trace)")
    }

    private var whole: Data? { FileManager.default.contents(atPath: origin.folder.file("whole").path) }

    @Test("A new task sends what the server has not, where it takes parts")
    func resumable() throws {
        let url = origin.url("resumable?name=whole&cut=100000&hold=go")
        try beginAndCancel(url)
        let trace = try bench.trace()
        #expect(trace.contains { $0.hasPrefix("resume-data s 1") && !$0.hasSuffix("of 0") }, "\(trace)")
        #expect(
            trace.contains { $0.hasPrefix("completed s 1") && $0.contains("error -999") && $0.contains("resumable 1") },
            "\(trace)")
        try goOn(url)
        #expect(whole == Data(content))
        try origin.wait(forAnswer: "PATCH /partial/1 200")
        let answers = origin.answers
        #expect(answers.count { $0.contains("/resumable") } <= 1, "\(answers)")
        #expect(answers.contains { $0.hasPrefix("HEAD /partial/1 204") }, "\(answers)")
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("A server that takes only whole uploads leaves nothing to resume")
    func plain() throws {
        try beginAndCancel(origin.url("sink?name=whole&cut=100000&hold=go"))
        #expect(try bench.trace().contains { $0.hasPrefix("resume-data s 1") && $0.hasSuffix("of 0") })
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("A file that is another one by then is sent from its beginning")
    func changed() throws {
        let url = origin.url("resumable?name=whole&cut=100000&hold=go")
        try beginAndCancel(url)
        let other = Array(content.reversed())
        try write(other)
        // The next upload of the same target is cut as well, at once.
        try goOn(url)
        #expect(whole == Data(other))
        #expect(try bench.daemon.stop().status == 0)
    }

    @Test("A server that says that it has more than there is gets all of it again")
    func boasting() throws {
        try bench.perform("upload s \(origin.url("resumable?name=whole&cut=100000&claims=900000")) $STATE/photo")
        try bench.waitFor("completed s 1")
        #expect(
            try bench.trace().contains { $0.hasPrefix("completed s 1") && $0.contains("error 0 reason -1 status 200") })
        #expect(whole == Data(content))
        #expect(try bench.daemon.stop().status == 0)
    }
}
