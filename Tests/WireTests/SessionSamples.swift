import TaskModel
import TestSupport
import Wire

/// Frames of background sessions.
enum SessionSamples {
    static let options: SessionOptions = {
        var options = SessionOptions()
        options.isDiscretionary = true
        options.sendsLaunchEvents = false
        options.allowsExpensive = false
        options.requestTimeout = .seconds(15)
        options.resourceTimeout = TimeSpan(nanoseconds: .max)
        options.connectionsPerHost = .max
        options.proxy = "http://proxy.example:3128"
        return options
    }()
    static let opens = [
        OpenSession(identifier: "com.example.downloads", options: SessionOptions()),
        OpenSession(identifier: String(repeating: "i", count: TransferLimit.identifier), options: options),
    ]

    static let headers = [HTTPHeader("Accept", "*/*"), HTTPHeader("X-Empty", ""), HTTPHeader("X-é", "半分")]
    static let plain = TransferRequest(kind: .download, url: "https://example.com/a", method: "GET")
    static let full: TransferRequest = {
        let url = "https://example.com/" + String(repeating: "u", count: TransferLimit.url - 20)
        var request = TransferRequest(kind: .upload, url: url, method: "PUT")
        request.headers = headers
        request.file = "/var/lib/s/photo é.jpg"
        request.text = String(repeating: "t", count: TransferLimit.text)
        request.earliest = Timestamp(nanoseconds: 0)
        request.timeout = .milliseconds(1)
        request.priority = 1
        request.allowsExpensive = false
        request.expectedSend = 0
        request.expectedReceive = .max
        request.sha256 = Array(0..<32)
        request.resumeData = Array(repeating: 0xFF, count: TransferLimit.resumeData)
        return request
    }()
    static let requests = [plain, full]

    static let answers: [SessionOpened] = {
        var refused = SessionOpened()
        refused.fault = .sessionInUse
        refused.sentence = "another process has it"
        var known = SessionOpened()
        known.session = .max
        known.next = 18
        known.transfers = [
            .known(0, plain, .suspended, received: 7), .known(1, full, .ended, received: 7, total: .max),
            .known(.max, plain, total: 0),
        ]
        known.transfers[2].progress.sent = .max
        known.transfers[2].isCanceling = true
        known.more = true
        var portion = SessionOpened()
        (portion.more, portion.awaitsNext) = (true, true)
        return [SessionOpened(), refused, known, portion]
    }()

    static let changes: [ChangeTransfer.Change] = [
        .resume, .suspend, .cancel, .cancelProducingResumeData, .priority(0), .priority(1), .text(""), .text("album 半"),
        .earliest(nil), .earliest(Timestamp(nanoseconds: -1)), .expected(send: nil, receive: 0),
        .expected(send: .max, receive: nil),
    ]
    static let replies: [TransferAnswer] = [
        .credential(user: "", password: "token"),
        .credential(
            user: String(repeating: "u", count: ServiceLimits.sentence),
            password: String(repeating: "p", count: TransferLimit.headers)),
        .useDefault, .rejectProtectionSpace, .cancel, .proceed(nil), .proceed(full), .unasked,
    ]

    static let events: [TransferEvent] = [
        .progress(received: 0, expectedReceive: nil, sent: 0, expectedSend: nil),
        .progress(received: .max, expectedReceive: 0, sent: 1, expectedSend: .max), .waitsForConnectivity,
        .resumed(offset: 1 << 40, total: nil), .resumed(offset: 0, total: 1),
        .response(TransferResponse(status: 206, url: "https://example.com/b", headers: headers)), .delayed,
        .challenge(challenge(.basic)), .challenge(challenge(.serverTrust)),
        .downloaded(path: "/var/cache/c/1.download"),
        .answered(path: ""), .completed(TransferEnd(at: Timestamp(nanoseconds: 1), order: 1)), .completed(failed),
        .resumeData([]), .resumeData([0, 255]), .allTold,
        .informational(TransferResponse(status: 104, url: "https://example.com/", headers: [HTTPHeader("A", "b")])),
    ]
    private static func challenge(_ method: TransferChallenge.Method) -> TransferChallenge {
        var challenge = TransferChallenge(method, host: "example.com", port: .max, isSecure: true)
        guard method == .serverTrust else { return challenge }
        challenge.isProxy = true
        challenge.realm = "Ünterwegs"
        challenge.failures = 3
        return challenge
    }
    private static let failed: TransferEnd = {
        var end = TransferEnd(at: Timestamp(nanoseconds: .max), order: .max, error: .cancelled)
        end.cancelReason = .userForceQuit
        end.sentence = "the user ended the application"
        end.status = 404
        end.url = "https://example.com/c"
        end.headers = headers
        end.received = 5
        end.sent = 6
        end.file = "/var/cache/c/2"
        end.resumeData = [1, 2, 3]
        return end
    }()

    static let all: [Sample] =
        opened + answered + requested + changed + replied + told
        + [acknowledgement, replay, invalidate, handle, handled, authorization]

    private static let opened: [Sample] = opens.enumerated().map { number, value in
        Sample("openSession-\(number)", value, value.frame(callID: 9)) { (reader) throws(WireError) in
            try OpenSession(from: &reader)
        }
    }
    private static let answered: [Sample] = answers.enumerated().map { number, value in
        Sample("sessionOpened-\(number)", value, value.frame(callID: 9)) { (reader) throws(WireError) in
            try SessionOpened(from: &reader)
        }
    }
    private static let requested: [Sample] = requests.enumerated().map { number, request in
        let value = CreateTransfer(session: 3, number: UInt32(number) + 1, request: request)
        return Sample("createTransfer-\(number)", value, value.frame() ?? []) { (reader) throws(WireError) in
            try CreateTransfer(from: &reader)
        }
    }
    private static let changed: [Sample] = changes.enumerated().map { number, change in
        let value = ChangeTransfer(session: .max, number: 1, change)
        return Sample("changeTransfer-\(number)", value, value.frame()) { (reader) throws(WireError) in
            try ChangeTransfer(from: &reader)
        }
    }
    private static let replied: [Sample] = replies.enumerated().map { number, answer in
        let value = AnswerTransfer(session: 1, number: .max, answer)
        return Sample("answerTransfer-\(number)", value, value.frame() ?? []) { (reader) throws(WireError) in
            try AnswerTransfer(from: &reader)
        }
    }
    private static let told: [Sample] = events.enumerated().map { number, event in
        let value = TransferEventFrame(session: 1, number: 2, sequence: UInt64(number), event)
        return Sample("transferEvent-\(number)", value, value.frame()) { (reader) throws(WireError) in
            try TransferEventFrame(from: &reader)
        }
    }

    private static let acknowledgement: Sample = {
        let value = AcknowledgeTransfer(session: 1, sequence: .max)
        return Sample("acknowledgeTransfer", value, value.frame()) { (reader) throws(WireError) in
            try AcknowledgeTransfer(from: &reader)
        }
    }()
    private static let replay = command(.replay)
    private static let invalidate = command(.invalidate)
    private static func command(_ command: SessionCommand.Command) -> Sample {
        let value = SessionCommand(session: 7, command)
        return Sample("sessionCommand-\(command)", value, value.frame()) { (reader) throws(WireError) in
            try SessionCommand(from: &reader)
        }
    }
    private static let handle = sessionEvents(.sessionEvents)
    private static let handled = sessionEvents(.sessionHandled)
    private static func sessionEvents(_ kind: FrameKind) -> Sample {
        let value = SessionEvents(identifier: "com.example.downloads")
        return Sample("\(kind)", value, value.frame(kind)) { (reader) throws(WireError) in
            try SessionEvents(from: &reader)
        }
    }
    private static let authorization: Sample = {
        let value = SetAuthorization(origin: "https://api.example.com", value: "Bearer a.b.c")
        return Sample("setAuthorization", value, value.frame() ?? []) { (reader) throws(WireError) in
            try SetAuthorization(from: &reader)
        }
    }()
}
