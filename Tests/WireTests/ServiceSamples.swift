import TaskModel
import Wire

/// Frames of the scheduling services.
enum ServiceSamples {
    static let plain = TaskRequest(identifier: "com.example.a", kind: .appRefresh)
    static let full: TaskRequest = {
        var terms = RequestTerms()
        terms.earliestBeginDate = Timestamp(nanoseconds: .min)
        terms.requiresExternalPower = true
        terms.requiresNetwork = true
        terms.strategy = .fail
        terms.requiredResources = .max
        return TaskRequest(
            identifier: "com.example.export.a1", kind: .continuedProcessing, terms: terms, title: "Exporting",
            subtitle: "半分")
    }()
    static let requests = [
        plain, full, TaskRequest(identifier: "", kind: .healthResearch),
        TaskRequest(
            identifier: String(repeating: "i", count: ServiceLimits.identifier), kind: .processing,
            terms: RequestTerms(), title: String(repeating: "t", count: ServiceLimits.title),
            subtitle: String(repeating: "é", count: ServiceLimits.title / 2)),
    ]
    static let replies = [
        SubmissionReply(), SubmissionReply(SubmissionFault(.unavailable, "")),
        SubmissionReply(SubmissionFault(.immediateRunIneligible, "both places are taken; submit with .queue")),
    ]
    static let lists = [
        PendingList(requests: [], more: false), PendingList(requests: requests, more: true),
        PendingList(requests: Array(repeating: requests[3], count: ServiceLimits.pending), more: false),
    ]
    static let statuses = [
        ApplicationStatus(state: .background),
        ApplicationStatus(
            state: .suspended, backgroundRefresh: .restricted, backgroundEnd: Instant(nanoseconds: 0x0102_0304_0506),
            backgroundTime: .unlimited, callID: .max),
        ApplicationStatus(state: .active, backgroundTime: .zero, callID: 1),
        {
            var status = ApplicationStatus(state: .background)
            status.endsSuspension = true
            return status
        }(),
    ]
    private static let longestPlace = CodePlace(
        module: String(repeating: "m", count: CodePlace.longestModule), offset: .max)
    static let assertions = [
        AssertionBegan(id: 1, name: ""),
        AssertionBegan(
            id: .max, name: String(repeating: "é", count: OpenAssertion.maximumName / 2),
            frames: Array(repeating: longestPlace, count: OpenAssertion.maximumFrames)),
    ]
    static let intervals = [
        FetchInterval(seconds: nil), FetchInterval(seconds: 0), FetchInterval(seconds: FetchInterval.most),
    ]
    static let starts = [
        (
            StartFrame(
                task: 1, attempt: 1, id: ULID(high: 1, low: 2), deadline: Instant(nanoseconds: 77), payloadLength: 1,
                settingsLength: 2, identifierLength: 3, titleLength: 2, subtitleLength: 1, traceLength: 4),
            Array("p{}a.bTts00-7".utf8)
        )
    ]

    static let all: [Sample] =
        requests.enumerated().map { (number, value) in
            Sample("submitRequest-\(number)", value, value.frame(callID: 7)) { (reader) throws(WireError) in
                try TaskRequest(from: &reader)
            }
        }
        + ["", "com.example.a"].enumerated().map { (number, identifier) in
            let value = CancelFrame(identifier: identifier)
            return Sample("cancelRequests-\(number)", value, value.frame(callID: .max)) { (reader) throws(WireError) in
                try CancelFrame(from: &reader)
            }
        }
        + replies.enumerated().map { (number, value) in
            Sample("submitted-\(number)", value, value.frame(callID: 1)) { (reader) throws(WireError) in
                try SubmissionReply(from: &reader)
            }
        }
        + lists.enumerated().map { (number, value) in
            Sample("pendingList-\(number)", value, value.frame(callID: 1)) { (reader) throws(WireError) in
                try PendingList(from: &reader)
            }
        }
        + statuses.enumerated().map { (number, value) in
            Sample("stateChanged-\(number)", value, value.frame()) { (reader) throws(WireError) in
                try ApplicationStatus(from: &reader)
            }
        }
        + starts.enumerated().map { (number, value) in
            Sample("start-named-\(number)", value.0, fixed: Samples.bytes(of: value.0, rest: value.1)) {
                (frame) throws(WireError) in try StartFrame(reading: frame)
            }
        }
        + assertions.enumerated().map { (number, value) in
            Sample("assertionBegan-\(number)", value, value.frame()) { (reader) throws(WireError) in
                try AssertionBegan(from: &reader)
            }
        }
        + intervals.enumerated().map { (number, value) in
            Sample("fetchInterval-\(number)", value, value.frame()) { (reader) throws(WireError) in
                try FetchInterval(from: &reader)
            }
        }
        + NetworkAccess.allCases.map { access in
            let value = NetworkFrame(access)
            return Sample("network-\(access)", value, value.frame()) { (reader) throws(WireError) in
                try NetworkFrame(from: &reader)
            }
        }
        + [title, misuse, notification, ended]
        + crashes.enumerated().map { (number, value) in
            Sample("crashing-\(number)", value, value.frame()) { (reader) throws(WireError) in
                try CrashReport(from: &reader, run: value.run ?? RunHandle(index: .max, generation: .max))
            }
        }

    private static let title: Sample = {
        let value = TitleReport(title: "Exporting", subtitle: "3 of 7")
        return Sample("title", value, value.frame(run: Samples.run)) { (reader) throws(WireError) in
            try TitleReport(from: &reader)
        }
    }()
    static let crashes = [
        CrashReport(signal: 6, code: -6, address: nil, run: nil, frames: []),
        CrashReport(
            signal: 11, code: 1, address: .max, run: Samples.run,
            frames: Array(repeating: longestPlace, count: CrashReport.mostFrames)),
    ]
    private static let misuse: Sample = {
        let value = SentenceReport(sentence: "a handler was registered twice")
        return Sample("misuse", value, value.frame(.misuse)) { (reader) throws(WireError) in
            try SentenceReport(from: &reader)
        }
    }()
    private static let notification: Sample = {
        let value = SentenceReport(sentence: "asked to notify at once")
        return Sample("notification", value, value.frame(.notification)) { (reader) throws(WireError) in
            try SentenceReport(from: &reader)
        }
    }()
    private static let ended: Sample = {
        let value = AssertionEnded(id: 0x0102_0304_0506_0708)
        return Sample("assertionEnded", value, value.frame()) { (reader) throws(WireError) in
            try AssertionEnded(from: &reader)
        }
    }()
}
