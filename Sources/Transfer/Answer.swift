import CCurl
import Linux
import TaskModel

/// The head of a server's final answer.
struct Answer {
    var status: UInt16 = 0
    var headers: [HTTPHeader] = []
    /// `Content-Length` where curl believes it.
    var length: Int64?
    /// The URL that answered.
    var url = ""
    /// Such as `192.0.2.7:443`, `[2001:db8::1]:443`.
    var address = ""

    /// The value of the first field of that name, in any letters.
    subscript(name: String) -> String? {
        headers.first { isSame($0.name, name) }?.value
    }

    private func isSame(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { Self.lower($0) == Self.lower($1) }
    }

    private static func lower(_ letter: UInt8) -> UInt8 { (0x41...0x5A).contains(letter) ? letter | 0x20 : letter }

    /// The host that answered, for display.
    var shownHost: String { TransferURL(url)?.host ?? "" }

    /// Guards a range of a later attempt; empty: nothing does.
    var validator: String { Validators(self)?.text ?? "" }

    /// The values of all fields of that name, in any letters.
    func all(_ name: String) -> [String] { headers.filter { isSame($0.name, name) }.map(\.value) }

    /// Seconds of `Retry-After`, at most a week; a date counts as its distance from the answer's own, or from this machine's
    /// where the answer has none (RFC 9110 6.6.1: a server without a clock sends none).
    var retryAfter: Int64? {
        guard let text = self["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return max(0, min(seconds, TransferLimit.longestRetryAfter)) }
        let then = unsafe curl_getdate(text, nil)
        guard then >= 0 else { return nil }
        let dated = self["Date"].map { unsafe curl_getdate($0, nil) } ?? -1
        let now = dated >= 0 ? Int64(dated) : Clock.moment().time.nanoseconds / 1_000_000_000
        return max(0, min(Int64(then) - now, TransferLimit.longestRetryAfter))
    }

    /// As the host keeps them.
    var kept: TransferResponse {
        var room = TransferLimit.answerHeaders
        let headers = headers.prefix {
            // Each has two lengths in a frame.
            room -= $0.name.utf8.count + $0.value.utf8.count + 8
            return room >= 0
        }
        return TransferResponse(status: status, url: url, headers: Array(headers))
    }
}
