import TaskModel
import Wire

/// Reads the input as what a server says to an attempt. The first byte tells what is transferred, the first line is the URL, the
/// rest the heads of its answers. What is understood leads nowhere that is not granted, gives no secret to another origin, and
/// reaches the host as it was said.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    var lines = bytes.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    let text = String(decoding: lines.popFirst() ?? [], as: UTF8.self)
    if let url = TransferURL(text) { check(url, text) }
    for line in lines.prefix(8) { check(String(decoding: line, as: UTF8.self)) }
    converse(lines.map(Array.init), makeOrder(text, choice))
    return 0
}

private func makeOrder(_ url: String, _ choice: UInt8) -> TransferOrder {
    let isUpload = choice & 3 != 0
    var order = TransferOrder(
        transfer: TransferHandle(index: 1, generation: 2), kind: isUpload ? .upload : .download, url: url,
        method: isUpload ? "POST" : "GET")
    order.upload = [.plain, .plain, .resumable, .tus][Int(choice & 3)]
    order.headers = [HTTPHeader("Authorization", "secret"), HTTPHeader("Cookie", "secret")]
    if choice & 4 != 0 { (order.offset, order.validator, order.total) = (1000, "\"tag\"", 5000) }
    order.acceptsChallenge = choice & 8 != 0
    if choice & 16 != 0 { (order.user, order.password) = ("somebody", "secret") }
    if choice & 32 != 0 { order.proxy = "http://somebody:secret@proxy:3128" }
    order.grants = [
        NetworkGrant(.name("a.example"), port: nil), NetworkGrant(.name("b.example"), port: 443),
        NetworkGrant(.loopback, port: 8080),
    ]
    return order
}

// MARK: URLs and fields

private func check(_ url: TransferURL, _ text: String) {
    let again = TransferURL(url.text)
    precondition(
        again?.text == url.text && again?.hasOrigin(of: url) == true, "a URL in its normal form is the same URL")
    precondition(again?.user.isEmpty == true && again?.password.isEmpty == true, "no user is left in it")
    precondition(!url.shown.contains("?") && !url.shown.contains("#"), "no query is shown")
    // The host keeps credentials by what it understands of the same text.
    guard let host = WebURL(text), isPlain(host.host) else { return }
    precondition(
        url.host == host.host && url.port == host.port && url.isSecure == (host.scheme == "https"),
        "host and transfer process understand the same place")
}

/// A name that nobody rewrites, such as other ways to write an address, or `a.`.
private func isPlain(_ host: String) -> Bool {
    host.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || (0x61...0x7A).contains($0) } && host.utf8.last != 0x2E
}

private func check(_ field: String) {
    let offers = ChallengeParser.offers(field)
    precondition(offers.reduce(0) { $0 + 1 + $1.parameters.count } <= 64, "offers are bounded")
    let written = offers.map { offer in
        offer.scheme + " "
            + offer.parameters.map { name, value in
                "\(name)=\"\(value.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined())\""
            }.joined(separator: ", ")
    }
    precondition(ChallengeParser.offers(written.joined(separator: ", ")) == offers, "an offer reads back the same")
    if let range = ContentRange(field), let bytes = range.range {
        precondition(bytes.lowerBound >= 0 && (range.total ?? .max) > bytes.upperBound, "a range lies in its file")
    }
}

// MARK: Answers

private func converse(_ lines: [[UInt8]], _ order: TransferOrder) {
    let isUpload = order.kind != .download
    let uploading = isUpload ? Uploading(order) : nil
    let guide = Guide(uploading ?? Download(order), order)
    guard var request = try? guide.begin() else { return }
    check(request, order)
    var reader = AnswerReader()
    for line in lines {
        guard let meaning = try? (line + [0x0A]).withUnsafeBytes({ try reader.take($0, mayFollow: false) }) else {
            return
        }
        reader.finish(length: reader.answer["Content-Length"].flatMap { Int64($0) }, url: request.url.text, address: "")
        switch meaning {
        case .inside: continue
        case .interim: guide.interim(reader.answer)
        case .final:
            guard let use = try? guide.answered(reader.answer) else { return }
            let answer = reader.answer
            if case .body(let offset) = use { check(guide.report(of: answer, at: offset)) }
            for news in guide.takeNews() { check(news) }
            switch guide.ended(answer, size: 4000) {
            case .request(let next): request = next
            case .end(let result): return check(.ended(result))
            case .whole: return
            }
            check(request, order)
            reader = AnswerReader()
        }
    }
}

/// As `Upload`, without a file.
private final class Uploading: Conversation {
    private var plan: UploadPlan?
    private var verdict = UploadPlan.Verdict.finished
    private var isNew = false

    init(_ order: TransferOrder) {
        if let url = TransferURL(order.url) { plan = UploadPlan(order, url: url, total: 4000) }
    }

    func begin() throws(TransferFault) -> ExchangeRequest {
        guard let next = plan?.next else { throw TransferFault(.failed, .badURL, "") }
        if let content = next.content { precondition(content.upperBound <= 4000, "no more is sent than there is") }
        return ExchangeRequest(url: next.url, method: next.method, headers: next.headers, content: next.content)
    }

    func interim(_ answer: Answer) {
        if let url = TransferURL(answer.url), plan?.takeInterim(answer, of: url) != nil { isNew = true }
    }

    func answered(_ answer: Answer) throws(TransferFault) -> AnswerUse {
        guard let url = TransferURL(answer.url), let verdict = plan?.take(answer, of: url) else { return .none }
        self.verdict = verdict
        precondition((0...4000).contains(plan?.offset ?? 0), "the server has no more than there is")
        return verdict == .finished ? .body(at: 0) : .none
    }

    func ended(_ answer: Answer, size: Int64) -> NextStep {
        switch verdict {
        case .goesOn:
            guard let request = try? begin() else { return .whole }
            return .request(request)
        default: return .whole
        }
    }

    func report(of answer: Answer, at offset: Int64) -> TransferReport {
        .answered(answer.kept, address: "", offset: 0, total: answer.length, validator: "")
    }

    func takeNews() -> [TransferReport] {
        defer { isNew = false }
        return isNew ? [.uploadCreated(location: plan?.keptLocation ?? "")] : []
    }
}

private func check(_ request: ExchangeRequest, _ order: TransferOrder) {
    let url = request.url
    let isGranted =
        url.host == "a.example" || url.host == "b.example" && url.port == 443
        || (url.host.hasPrefix("127.") || url.host.contains(":") || order.proxy.isEmpty) && url.port == 8080
    precondition(isGranted, "it leads where nothing is granted")
    guard let origin = TransferURL(order.url), !url.hasOrigin(of: origin) else { return }
    precondition(request.user.isEmpty && request.password.isEmpty, "another origin gets the password")
    precondition(!request.headers.contains { $0.value == "secret" }, "another origin gets a secret")
}

/// The host reads what the process says.
private func check(_ report: TransferReport) {
    // A longer URL is cut: nobody goes there again.
    if case .answered(let response, _, _, _, _) = report, response.url.utf8.count > TransferLimit.url { return }
    let transfer = TransferHandle(index: 1, generation: 2)
    let same = report.frame(transfer).withUnsafeBytes { frame in
        do {
            let header = try FrameHeader(reading: frame)
            guard let kind = FrameKind(rawValue: header.kind) else { return false }
            var reader = FrameReader(body: frame)
            return try TransferReport(from: &reader, kind: kind) == report
        } catch {
            return false
        }
    }
    precondition(same, "the host reads what was reported")
    if case .ended(let result) = report, let after = result.retryAfter {
        precondition((0...TransferLimit.longestRetryAfter).contains(after), "a server's pause is bounded")
    }
}
