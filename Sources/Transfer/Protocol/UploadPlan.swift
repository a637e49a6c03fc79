import TaskModel
import Wire

/// Uploads a file request by request: plain (one with the whole file), by draft-ietf-httpbis-resumable-upload (interop
/// version 8, its drafts 09 to 12), or by tus 1.0.0. Pure: `next` returns the next request, `take…` takes the answers.
struct UploadPlan {
    /// One request.
    struct Request: Equatable {
        var method: String
        var url: TransferURL
        var headers: [HTTPHeader]
        /// The range of the file that it sends; nil: it has no content.
        var content: Range<Int64>?
    }

    /// What an answer means.
    enum Verdict: Equatable {
        /// It is the answer to the upload; its body too.
        case finished
        /// `next` continues it; the body is ignored.
        case goesOn
        /// Another attempt may do better.
        case interrupted(TransferError, String)
        /// It is no answer to what was asked; another attempt would get the same.
        case refused(TransferError, String)
        /// The server's state does not match the file: another attempt restarts.
        case useless(String)
    }

    /// The kind of the next request.
    private enum Step {
        /// Sends it to the order's URL: the whole file, or with tus the creation request.
        case create
        /// Asks how much the server has.
        case ask
        /// Sends the rest.
        case append(Int64)
    }

    private let kind: TransferOrder.Upload
    private let url: TransferURL
    private let method: String
    private let headers: [HTTPHeader]
    private let total: Int64
    private var step: Step
    /// Where the upload continues; nil: nowhere.
    private(set) var location: TransferURL?
    /// Where another attempt can continue; empty: nowhere, or at a URL that is too long to be stored.
    var keptLocation: String {
        guard let text = location?.text, text.utf8.count <= TransferLimit.url else { return "" }
        return text
    }
    /// The server certainly has this many bytes.
    private(set) var offset: Int64 = 0
    /// The most bytes for one request, from the server (`Upload-Limit: max-append-size`).
    private var mostAppended = Int64.max
    /// Turns that brought nothing forward.
    private var idleTurns = 0

    /// More of them: the server leads around in circles.
    private static let mostIdleTurns = 4
    private static let interop = "8"

    /// - Parameters:
    ///   - url: the order's, parsed.
    ///   - total: bytes of the file.
    init(_ order: TransferOrder, url: TransferURL, total: Int64) {
        kind = order.upload
        self.url = url
        method = order.upload == .tus ? "POST" : order.method
        headers = order.headers
        self.total = total
        location = order.upload == .plain ? nil : TransferURL(order.uploadLocation)
        step = location == nil ? .create : .ask
    }

    // MARK: Asking

    var next: Request {
        switch step {
        case .create: creation
        case .ask: Request(method: "HEAD", url: location ?? url, headers: followingHeaders, content: nil)
        case .append(let offset):
            Request(
                method: "PATCH", url: location ?? url,
                headers: followingHeaders + appendingHeaders(offset) + [HTTPHeader("Upload-Offset", "\(offset)")],
                content: offset..<end(offset))
        }
    }

    private var creation: Request {
        let own = headers.filter { header in !Self.ours.contains(header.name.lowercased()) }
        return switch kind {
        case .plain: Request(method: method, url: url, headers: headers, content: 0..<total)
        case .resumable:
            Request(
                method: method, url: url,
                headers: own + [
                    HTTPHeader("Upload-Draft-Interop-Version", Self.interop), HTTPHeader("Upload-Complete", "?1"),
                    HTTPHeader("Upload-Length", "\(total)"),
                ], content: 0..<total)
        case .tus:
            Request(
                method: method, url: url,
                headers: own + [HTTPHeader("Tus-Resumable", "1.0.0"), HTTPHeader("Upload-Length", "\(total)")],
                content: 0..<0)
        }
    }

    private static let ours: Set<String> = [
        "upload-draft-interop-version", "upload-complete", "upload-length", "upload-offset", "tus-resumable",
    ]

    /// Of the request's own fields those that are for the server and not for this content; secrets for its origin alone.
    private var followingHeaders: [HTTPHeader] {
        let isElsewhere = location.map { !$0.hasOrigin(of: url) } ?? false
        let own = headers.filter { header in
            let name = header.name.lowercased()
            if isElsewhere, name == "authorization" || name == "cookie" { return false }
            return !name.hasPrefix("content-") && !name.hasPrefix("upload-") && !name.hasPrefix("if-")
                && name != "tus-resumable" && name != "expect"
        }
        return own
            + (kind == .tus
                ? [HTTPHeader("Tus-Resumable", "1.0.0")]
                : [
                    HTTPHeader("Upload-Draft-Interop-Version", Self.interop)
                ])
    }

    /// Where the content of a request that begins there ends.
    private func end(_ offset: Int64) -> Int64 { total - offset > mostAppended ? offset + mostAppended : total }

    private func appendingHeaders(_ offset: Int64) -> [HTTPHeader] {
        kind == .tus
            ? [HTTPHeader("Content-Type", "application/offset+octet-stream")]
            : [
                HTTPHeader("Content-Type", "application/partial-upload"),
                HTTPHeader("Upload-Complete", end(offset) == total ? "?1" : "?0"),
            ]
    }

    // MARK: Answers

    /// An interim answer.
    ///
    /// - Returns: where the upload can be continued from now on; nil: no change.
    mutating func takeInterim(_ answer: Answer, of url: TransferURL) -> TransferURL? {
        guard kind == .resumable, case .create = step, answer.status == 104,
            answer["Upload-Draft-Interop-Version"] == Self.interop, location == nil, let text = answer["Location"],
            let place = url.resolving(text)
        else { return nil }
        location = place
        learnLimit(answer)
        return place
    }

    private mutating func learnLimit(_ answer: Answer) {
        let members = answer["Upload-Limit"]?.split(separator: ",") ?? []
        for member in members {
            let parts = member.split(separator: "=").map { $0.trimmingBlanks }
            if parts.count == 2, parts[0] == "max-append-size", let most = Int64(parts[1]), most > 0 {
                mostAppended = most
            }
        }
    }

    /// The final answer to the request of `next`, redirects excluded. `location` may have changed.
    ///
    /// - Parameter url: the answering URL.
    mutating func take(_ answer: Answer, of url: TransferURL) -> Verdict {
        switch step {
        case .create: return created(answer, url)
        case .ask: return asked(answer)
        case .append(let offset): return appended(answer, from: offset)
        }
    }

    private mutating func created(_ answer: Answer, _ url: TransferURL) -> Verdict {
        switch kind {
        case .plain: return .finished
        case .resumable:
            // All of it at once is more than it takes.
            if location != nil, answer.status == 413, mostAppended < total {
                step = .ask
                return turned(.goesOn)
            }
            // The server keeps its part of the content.
            if location != nil, (500...599).contains(answer.status), answer["Upload-Complete"] != "?1" {
                return .interrupted(.badServerResponse, "the server answered \(answer.status) and keeps its part")
            }
            return .finished
        case .tus:
            guard (200...299).contains(answer.status) else { return .finished }
            // Nothing has been sent yet: without a place for it, this is no success.
            guard answer.status == 201, let place = answer["Location"].flatMap({ url.resolving($0) }) else {
                return .refused(.badServerResponse, "the server made no place for the upload: \(answer.status)")
            }
            location = place
            if total == 0 { return .finished }
            step = .append(0)
            return .goesOn
        }
    }

    private mutating func asked(_ answer: Answer) -> Verdict {
        if answer.status == 423 || (500...599).contains(answer.status) {
            return .interrupted(.badServerResponse, "the server did not say how much it has: \(answer.status)")
        }
        guard (200...299).contains(answer.status) else { return beginAnew() }
        if kind == .resumable { learnLimit(answer) }
        if kind == .resumable, answer["Upload-Complete"] == "?1" {
            offset = total
            return .finished
        }
        guard let there = answer["Upload-Offset"].flatMap({ Int64($0) }), there >= 0 else { return beginAnew() }
        guard there <= total else {
            return .useless("the server has \(there) bytes of a file of \(total)")
        }
        return moved(to: there)
    }

    private mutating func appended(_ answer: Answer, from start: Int64) -> Verdict {
        if kind == .resumable, answer["Upload-Complete"] == "?1" {
            offset = total
            return .finished
        }
        switch answer.status {
        case 404, 410: return beginAnew()
        case 409, 423:
            step = .ask
            return turned(.goesOn)
        case 500...599: return .interrupted(.badServerResponse, "the server answered \(answer.status) to a part")
        case 200...299:
            if kind == .resumable, end(start) < total { return moved(to: end(start)) }
            if kind == .resumable, answer["Upload-Complete"] == nil { return .finished }
            guard let there = answer["Upload-Offset"].flatMap({ Int64($0) }), (start...total).contains(there) else {
                step = .ask
                return turned(.goesOn)
            }
            return moved(to: there)
        default: return .finished
        }
    }

    private mutating func moved(to there: Int64) -> Verdict {
        let isForward = there > offset
        offset = there
        if there == total, kind == .tus { return .finished }
        step = .append(there)
        if isForward {
            idleTurns = 0
            return .goesOn
        }
        return turned(.goesOn)
    }

    /// The server has lost it.
    private mutating func beginAnew() -> Verdict {
        location = nil
        offset = 0
        step = .create
        return turned(.goesOn)
    }

    private mutating func turned(_ verdict: Verdict) -> Verdict {
        idleTurns += 1
        guard idleTurns <= Self.mostIdleTurns else {
            return .interrupted(
                .badServerResponse, "the server accepts no bytes of the upload, and says that it continues")
        }
        return verdict
    }
}

extension Substring {
    /// Without blanks around it.
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
