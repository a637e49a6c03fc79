import Foundation
import TaskModel
import TestSupport
import Testing
import Wire

/// Background sessions, as an application sees them by taskhost_transfer.h.
@Suite("Transfer services", .enabled(if: !Places.isSanitized))
struct TransferServiceTests {
    private static let identifier = "org.example.downloads"

    /// Answers an `openSession`.
    @discardableResult
    private func answer(
        _ host: ScriptedHost, as session: UInt32 = 5, next: UInt32 = 1, known: [BackgroundTransfer] = []
    ) throws -> OpenSession {
        let question = try host.next(.openSession)
        var answer = SessionOpened()
        (answer.session, answer.next) = (session, next)
        for (index, transfer) in known.enumerated() {
            // One in each frame.
            answer.transfers = [transfer]
            answer.more = index + 1 < known.count
            host.send(answer.frame(callID: question.run.callID))
        }
        if known.isEmpty { host.send(answer.frame(callID: question.run.callID)) }
        return try question.read { (r) throws(WireError) in try OpenSession(from: &r) }
    }

    private func tell(
        _ host: ScriptedHost, _ event: TransferEvent, of number: UInt32, sequence: UInt64, session: UInt32 = 5
    ) {
        host.send(TransferEventFrame(session: session, number: number, sequence: sequence, event).frame())
    }

    private func acknowledged(_ host: ScriptedHost) throws -> UInt64 {
        try host.next(.acknowledgeTransfer).read { (r) throws(WireError) in try AcknowledgeTransfer(from: &r) }.sequence
    }

    private func created(_ host: ScriptedHost) throws -> CreateTransfer {
        try host.next(.createTransfer).read { (r) throws(WireError) in try CreateTransfer(from: &r) }
    }

    private func ended(_ order: Int64, error: TransferError? = nil) -> TransferEvent {
        .completed(TransferEnd(at: Timestamp(nanoseconds: 1), order: order, error: error))
    }

    @Test func `A session is opened, its transfers are known, and new ones have the next numbers`() throws {
        let host = try ScriptedHost(
            "transfers",
            launch: [
                "open \(Self.identifier) 1", "open \(Self.identifier)", "replay \(Self.identifier)",
                "download \(Self.identifier) https://example.com/a notes",
                "upload \(Self.identifier) http://example.com/b /tmp/photo", "cancel-resumable \(Self.identifier) 7",
            ])
        var earlier = TransferRequest(kind: .download, url: "https://example.com/old", method: "GET")
        earlier.text = "old"
        earlier.headers = [HTTPHeader("A", "b")]
        let known: [BackgroundTransfer] = [
            .known(3, earlier, .suspended, received: 10, total: 20), .known(6, earlier, .ended),
        ]
        let opened = try answer(host, next: 7, known: known)
        #expect(opened.identifier == Self.identifier)
        var options = SessionOptions()
        (options.isDiscretionary, options.sendsLaunchEvents) = (true, false)
        (options.allowsExpensive, options.allowsConstrained) = (false, false)
        #expect(opened.options == options)
        #expect(
            try host.line("known") == "known \(Self.identifier) 3 kind 1 GET https://example.com/old [old] suspended 1 "
                + "received 10 sent 0 of 20 headers 1 state 1")
        #expect(
            try host.line("known").hasSuffix(
                "6 kind 1 GET https://example.com/old [old] suspended 0 received 0 sent 0 of -1 headers 1 state 3"))
        try host.line("opened \(Self.identifier) status 0 next 7 []")
        try host.line(
            "opened \(Self.identifier) status 2 next 0 [this process has session \(Self.identifier) open already;")
        let command = try host.next(.sessionCommand)
        #expect(
            try command.read { (r) throws(WireError) in try SessionCommand(from: &r) }
                == SessionCommand(session: 5, .replay))
        let (first, second) = (try created(host), try created(host))
        #expect(first.session == 5 && first.number == 7 && second.number == 8)
        #expect(first.request.kind == .download && first.request.method == "GET" && first.request.text == "notes")
        #expect(first.request.headers == [HTTPHeader("X-Fixture", "transfers")] && first.request.earliest == nil)
        #expect(
            second.request.kind == .upload && second.request.method == "POST" && second.request.file == "/tmp/photo")
        for (number, change): (UInt32, ChangeTransfer.Change) in [
            (7, .resume), (8, .resume), (7, .cancelProducingResumeData),
        ] {
            let found = try host.next(.changeTransfer).read { (r) throws(WireError) in try ChangeTransfer(from: &r) }
            #expect(found == ChangeTransfer(session: 5, number: number, change))
        }
        try host.next(.ready)
    }

    @Test func `The rest of a long list comes when it is asked for`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "replay a"])
        let question = try host.next(.openSession)
        let request = TransferRequest(kind: .download, url: "https://example.com/old", method: "GET")
        for number: UInt32 in 1...3 {
            var answer = SessionOpened()
            (answer.session, answer.next) = (5, 4)
            answer.transfers = [.known(number, request)]
            (answer.more, answer.awaitsNext) = (number < 3, number == 2)
            host.send(answer.frame(callID: question.run.callID))
            guard number == 2 else { continue }
            let asked = try host.next(.sessionCommand).read { (r) throws(WireError) in try SessionCommand(from: &r) }
            #expect(asked == SessionCommand(session: 5, .next))
        }
        for number in 1...3 { try host.line("known a \(number) kind 1") }
        try host.line("opened a status 0 next 4")
        let replay = try host.next(.sessionCommand).read { (r) throws(WireError) in try SessionCommand(from: &r) }
        #expect(replay.command == .replay)
    }

    @Test func `Another process has the session: the code and the sentence arrive, and it can be opened later`() throws
    {
        let host = try ScriptedHost("transfers", launch: ["open a", "open a"])
        let question = try host.next(.openSession)
        var refusal = SessionOpened()
        (refusal.fault, refusal.sentence) = (.sessionInUse, "another process has it")
        host.send(refusal.frame(callID: question.run.callID))
        try host.line("opened a status -996 next 0 [another process has it]")
        try answer(host)
        try host.line("opened a status 0")
    }

    @Test func `Events come in their order on another thread, and are acknowledged when they are handled`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "replay a", "download a https://example.com/a"])
        try answer(host)
        try host.next(.ready)
        try host.folder.write("cache/1", "contents")
        tell(host, .progress(received: 3, expectedReceive: 8, sent: 0, expectedSend: nil), of: 1, sequence: 0)
        tell(host, .waitsForConnectivity, of: 1, sequence: 0)
        tell(host, .resumed(offset: 3, total: 8), of: 1, sequence: 0)
        tell(
            host, .response(TransferResponse(status: 206, url: "https://example.com/b", headers: [])), of: 1,
            sequence: 0)
        var challenge = TransferChallenge(.digest, host: "example.com", port: 443, isSecure: true)
        challenge.realm = "R"
        tell(host, .challenge(challenge), of: 1, sequence: 0)
        tell(host, .resumeData([1, 2]), of: 1, sequence: 0)
        tell(host, .downloaded(path: host.folder.file("cache/1").path), of: 1, sequence: 1)
        tell(host, ended(1), of: 1, sequence: 2)
        tell(host, .allTold, of: 0, sequence: 3)
        for line in [
            "progress a 1 #0 received 3 of 8 sent 0 of -1", "waits a 1", "resumed a 1 #0 at 3 of 8",
            "response a 1 #0 status 206 https://example.com/b headers 0",
            "challenge a 1 #0 method 2 of example.com:443 realm [R] failures 0", "resume-data a 1 #0 of 2",
            "downloaded a 1 #1 on other", "completed a 1 #2 error 0 reason -1 status 0", "all-told a 0 #3",
        ] { #expect(try host.line(line.components(separatedBy: " ")[0]).hasPrefix(line)) }
        for sequence: UInt64 in 1...3 { #expect(try acknowledged(host) == sequence) }
        #expect(FileManager.default.fileExists(atPath: host.folder.file("state/a-1").path))
    }

    @Test func `What was expected is reported for one that failed as well`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "replay a"])
        try answer(host)
        try host.next(.ready)
        var end = TransferEnd(at: Timestamp(nanoseconds: 1), order: 1, error: .timedOut)
        (end.received, end.expectedReceive) = (3, 8)
        tell(host, .completed(end), of: 1, sequence: 1)
        #expect(try host.line("completed a 1").hasSuffix("expected 8 and -1"))
        end.expectedReceive = nil
        tell(host, .completed(end), of: 2, sequence: 2)
        #expect(try host.line("completed a 2").hasSuffix("expected -1 and -1"))
    }

    @Test func `A slow handler keeps no run waiting, and its events wait in their order`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "slow 200"])
        try answer(host)
        try host.next(.ready)
        for number: UInt32 in 1...3 { tell(host, ended(Int64(number)), of: number, sequence: UInt64(number)) }
        try host.line("completed a 1")
        host.start(["await 0"])
        try host.next(.completed)
        // The third is delivered 400 ms after the first at the earliest.
        #expect(!host.unreadLines.contains { $0.hasPrefix("completed a 3") })
        for sequence: UInt64 in 1...3 { #expect(try acknowledged(host) == sequence) }
    }

    @Test func `An application is called for a session's events before they come, and says when it has handled them`()
        throws
    {
        let host = try ScriptedHost("transfers")
        try host.next(.ready)
        host.send(SessionEvents(identifier: "a").frame(.sessionEvents))
        try answer(host, next: 2)
        #expect(try host.line("handle-events") == "handle-events a in 3 on main")
        try host.next(.sessionCommand)
        tell(host, ended(1, error: .timedOut), of: 1, sequence: 1)
        tell(host, .allTold, of: 0, sequence: 2)
        #expect(try host.line("completed a 1").contains("error -1001"))
        try host.line("handled a 0")
        let handled = try host.next(.sessionHandled)
        #expect(try handled.read { (r) throws(WireError) in try SessionEvents(from: &r) }.identifier == "a")
    }

    /// The call is made on the main thread, which works on a callback that lingers; events wait for it.
    @Test func `Events of a session that is open already wait until that call has returned`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "open-slowly 300"])
        try answer(host)
        try host.next(.ready)
        host.send(SessionEvents(identifier: "a").frame(.sessionEvents))
        tell(host, ended(1), of: 1, sequence: 1)
        try host.next(.acknowledgeTransfer)
        let order = host.unreadLines.filter { $0.hasPrefix("handle-") || $0.hasPrefix("completed") }
        #expect(
            order.map { String($0.prefix(13)) } == ["handle-events", "handle-return", "completed a 1"],
            "\(host.unreadLines)")
    }

    @Test func `An application without an event callback has handled a session's events at once`() throws {
        let host = try ScriptedHost("silent")
        try host.next(.ready)
        host.send(SessionEvents(identifier: "a").frame(.sessionEvents))
        try host.next(.sessionHandled)
    }

    @Test func `A session that is closed gets nothing more, and can be opened again`() throws {
        let host = try ScriptedHost("transfers", launch: ["open a", "invalidate a", "resume a 1", "open a"])
        try answer(host)
        let command = try host.next(.sessionCommand).read { (r) throws(WireError) in try SessionCommand(from: &r) }
        #expect(command == SessionCommand(session: 5, .invalidate))
        try host.line("resume status 3")
        try answer(host, as: 6)
        try host.next(.ready)
        tell(host, ended(1), of: 1, sequence: 1, session: 5)
        tell(host, ended(2), of: 2, sequence: 1, session: 6)
        try host.line("completed a 2")
        #expect(!host.unreadLines.contains { $0.hasPrefix("completed a 1") })
    }

    @Test func `What does not fit a frame is refused with a sentence, and uses up its number`() throws {
        let long = "https://example.com/" + String(repeating: "u", count: TransferLimit.url)
        let host = try ScriptedHost(
            "transfers", launch: ["open a", "create a \(long)", "create a https://example.com/b", "priority a 2 1.5"])
        try answer(host)
        try host.line("created a 1 status 2 [the URL of a transfer has \(long.utf8.count) bytes; use at most 4096]")
        try host.line("priority status 2")
        #expect(try created(host).number == 2)
        try host.next(.ready)
        #expect(host.taken(.createTransfer).isEmpty)
    }

    @Test func `Changes, answers and credentials arrive as they were said`() throws {
        let host = try ScriptedHost(
            "transfers",
            launch: [
                "open a", "suspend a 1", "cancel a 1", "text a 1 album", "priority a 1 0.25", "earliest a 1 77",
                "expect a 1 5 -1", "answer a 1 1 user secret", "answer a 1 5", "answer a 1 9",
                "authorize https://example.com Bearer",
            ])
        try answer(host)
        let changes: [ChangeTransfer.Change] = [
            .suspend, .cancel, .text("album"), .priority(0.25), .earliest(Timestamp(nanoseconds: 77)),
            .expected(send: 5, receive: nil),
        ]
        for change in changes {
            let found = try host.next(.changeTransfer).read { (r) throws(WireError) in try ChangeTransfer(from: &r) }
            #expect(found.change == change)
        }
        for expected: TransferAnswer in [.credential(user: "user", password: "secret"), .proceed(nil)] {
            let found = try host.next(.answerTransfer).read { (r) throws(WireError) in try AnswerTransfer(from: &r) }
            #expect(found.answer == expected)
        }
        try host.line("answer status 2")
        let value = try host.next(.setAuthorization).read { (r) throws(WireError) in try SetAuthorization(from: &r) }
        #expect(value == SetAuthorization(origin: "https://example.com", value: "Bearer"))
    }
}
