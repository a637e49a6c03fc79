import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

/// What an application asks for comes to the host, and the host's answer comes back, from every thread.
@Suite("Scheduling services", .enabled(if: !Places.isSanitized))
struct SchedulingServiceTests {
    private static let refresh = "org.example.services.refresh"

    private func request(_ frame: ScriptedHost.Received) throws -> TaskRequest {
        try frame.read { (r) throws(WireError) in try TaskRequest(from: &r) }
    }

    @Test func `A request is submitted in launch, before the host learns that the worker is ready`() throws {
        let host = try ScriptedHost(launch: ["submit \(Self.refresh) 1 3 -5 0", "register \(Self.refresh)"])
        let submitted = try host.next(.submitRequest)
        let wanted = try request(submitted)
        #expect(wanted.identifier == Self.refresh)
        #expect(wanted.kind == .appRefresh)
        #expect(wanted.terms.earliestBeginDate == Timestamp(nanoseconds: -5))
        #expect(wanted.terms.requiresNetwork && !wanted.terms.requiresExternalPower)
        #expect(wanted.terms.strategy == .queue)
        #expect(host.taken(.ready).isEmpty)
        host.accept(submitted)
        #expect(try host.line("submitted").hasPrefix("submitted \(Self.refresh) code 0 reason []"))
        try host.next(.ready)
        try host.line("launched on main")
    }

    @Test(arguments: ["services", "services-main"])
    func `A request is submitted from a handler, and from a thread beside it`(_ library: String) throws {
        let host = try ScriptedHost(library, launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        let run = host.start(["submit \(Self.refresh) 1 0 0", "in-thread submit \(Self.refresh) 1 1 77"])
        let first = try host.next(.submitRequest)
        #expect(try request(first).terms.earliestBeginDate == nil)
        host.accept(first)
        let second = try host.next(.submitRequest)
        #expect(try request(second).terms.earliestBeginDate == Timestamp(nanoseconds: 77))
        host.accept(second)
        #expect(try host.next(.completed).run == run)
    }

    @Test func `A refused request returns the framework's code and the sentence, as far as it fits`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        for fault in SubmissionError.allCases {
            host.start([
                "submit \(Self.refresh) 1 0 0", "submit-briefly \(Self.refresh) 1 0 0", "submit-silently x 1 0 0",
            ])
            for _ in 0..<3 { host.accept(try host.next(.submitRequest), SubmissionFault(fault, "ab cdé; do it")) }
            #expect(try host.line("submitted").contains("code \(fault.rawValue) reason [ab cdé; do it]"))
            #expect(try host.line("submitted").contains("code \(fault.rawValue) reason [ab cdé]"))
            #expect(try host.line("submitted x").contains("code \(fault.rawValue) reason [untouched]"))
            try host.next(.completed)
        }
    }

    @Test func `What the host could not be asked is refused without asking it`() throws {
        let long = String(repeating: "i", count: 256)
        let host = try ScriptedHost(launch: [
            "submit", "submit \(long) 1 0 0", "submit \(Self.refresh) 9 0 0", "submit-small",
            "submit \(Self.refresh) 257 0 0",
        ])
        for _ in 0..<4 { #expect(try host.line("submitted").contains("code 3 reason [the request ")) }
        #expect(try host.line("small").hasPrefix("small code 3 [the request names no identifier"))
        try host.next(.ready)
        #expect(host.taken(.submitRequest).isEmpty)
    }

    @Test func `Cancelling names one or all, and returns when the host has answered`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["cancel \(Self.refresh)", "cancel-all", "cancel", "cancel \(String(repeating: "i", count: 300))"])
        let one = try host.next(.cancelRequests)
        #expect(try one.read { (r) throws(WireError) in try CancelFrame(from: &r) }.identifier == Self.refresh)
        host.accept(one)
        try host.line("cancelled")
        let all = try host.next(.cancelRequests)
        #expect(try all.read { (r) throws(WireError) in try CancelFrame(from: &r) }.identifier == "")
        host.accept(all)
        try host.line("cancelled all")
        try host.next(.completed)
        // An empty name and one that is too long match no request: they never meant all.
        #expect(host.taken(.cancelRequests).isEmpty)
    }

    @Test func `Pending requests are shown as they were submitted, from every frame of the answer`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(["pending"])
        let question = try host.next(.pendingRequests)
        var terms = RequestTerms()
        terms.earliestBeginDate = Timestamp(nanoseconds: -1)
        terms.requiresExternalPower = true
        terms.strategy = .fail
        terms.requiredResources = 1
        let full = TaskRequest(
            identifier: "org.example.services.export.a", kind: .continuedProcessing, terms: terms, title: "T",
            subtitle: "S")
        let plain = TaskRequest(identifier: Self.refresh, kind: .appRefresh)
        let callID = question.run.callID
        host.send(PendingList(requests: [plain], more: true).frame(callID: callID))
        host.send(PendingList(requests: [full], more: false).frame(callID: callID))
        #expect(
            try host.line("pending") == "pending \(Self.refresh) kind 1 flags 0 earliest 0 [] [] resources 0 shown")
        #expect(
            try host.line("pending")
                == "pending \(full.identifier) kind 3 flags 13 earliest -1 [T] [S] resources 1 shown")
        try host.line("listed")
        try host.next(.completed)
    }

    @Test func `At most sixty-four questions are open at once, and more wait for their turn`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        host.start(Array(repeating: "beside submit \(Self.refresh) 1 0 0", count: 80) + ["stay"])
        var open = try (0..<ServiceLimits.openCalls).map { _ in try host.next(.submitRequest) }
        #expect(Set(open.map(\.run)).count == ServiceLimits.openCalls)
        // Answers come in another order than questions.
        for _ in ServiceLimits.openCalls..<80 {
            #expect(host.taken(.submitRequest).isEmpty)
            host.accept(open.removeLast())
            open.append(try host.next(.submitRequest))
        }
        for question in open { host.accept(question) }
        for _ in 0..<80 { try host.line("submitted \(Self.refresh) code 0") }
    }

    @Test func `An expiration comes through to a run whose handler waits for an answer`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        let run = host.start(["stay", "submit \(Self.refresh) 1 0 0"])
        let question = try host.next(.submitRequest)
        var frame = FrameWriter(.expire, run: run)
        frame.integer(UInt32(5))
        host.send(frame.finished() ?? [])
        try host.line("run expired 5")
        try host.next(.completed)
        host.accept(question)
        try host.line("submitted")
    }

    @Test func `A handler that asks need not wait for the tick after which another thread reads the wire`() throws {
        let host = try ScriptedHost(launch: ["register \(Self.refresh)"])
        try host.next(.ready)
        var spans: [Int] = []
        for _ in 0..<20 {
            host.start(["submit \(Self.refresh) 1 0 0"])
            host.accept(try host.next(.submitRequest))
            let words = try host.line("submitted").split(separator: " ")
            spans.append(try #require(words.dropLast().last.flatMap { Int($0) }))
            try host.next(.completed)
        }
        // The best of them: the machine may be busy. The tick is 1000 us.
        #expect(try #require(spans.min()) < 700, "\(spans)")
    }

    @Test func `A worker that is answered what it never asked leaves`() throws {
        let host = try ScriptedHost()
        try host.next(.ready)
        host.send(SubmissionReply().frame(callID: 99))
        #expect(try host.end().status == 92)
    }

    @Test func `Misuse is reported, and a strict application learns that it is one`() throws {
        for strict in [false, true] {
            let host = try ScriptedHost(launch: ["permitted", "report twice"], strict: strict, resources: 5)
            let report = try host.next(.misuse).read { (r) throws(WireError) in try SentenceReport(from: &r) }
            #expect(report.sentence == "twice")
            for (identifier, kind) in ScriptedHost.tasks where !kind.isEvent {
                #expect(try host.line("permits") == "permits \(identifier) kind \(kind.rawValue)")
            }
            #expect(try host.line("flags") == "flags \(strict ? 1 : 0) resources 5")
        }
    }

    @Test func `There are these extensions and no others`() throws {
        let host = try ScriptedHost(launch: [
            "extension taskhost.scheduling/1", "extension taskhost.lifecycle/1", "extension taskhost.scheduling/2",
            "extension taskhost.scheduling", "extension", "extension taskhost.information/1",
            "extension taskhost.notifications/1",
        ])
        for expected in ["found", "found", "missing", "missing", "missing", "found", "found"] {
            #expect(try host.line("extension") == "extension \(expected)")
        }
    }
}
