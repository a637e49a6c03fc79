import TaskModel
import Wire

/// What the next request is after a redirect (RFC 9110 15.4).
struct Redirect {
    let url: TransferURL
    let method: String
    /// It carries the content that the one before carried.
    let keepsContent: Bool

    /// nil: the answer is no redirect, and stands for itself; also one that says no place, or one that is no place.
    init?(_ answer: Answer, of method: String, from url: TransferURL) {
        guard Self.statuses.contains(answer.status), let location = answer["Location"],
            let next = url.resolving(location)
        else { return nil }
        self.url = next
        switch answer.status {
        // 301 and 302 change POST alone, as every client has it.
        case 303 where method != "GET" && method != "HEAD", 301 where method == "POST", 302 where method == "POST":
            self.method = "GET"
            keepsContent = false
        default:
            self.method = method
            keepsContent = true
        }
    }

    private static let statuses: Set<UInt16> = [301, 302, 303, 307, 308]

    /// The fields of the request that go along. What is for the first server alone stays behind at another origin; what
    /// describes content stays behind with it.
    func headers(_ headers: [HTTPHeader], from url: TransferURL) -> [HTTPHeader] {
        headers.filter { header in
            let name = header.name.lowercased()
            if Self.secrets.contains(name), !self.url.hasOrigin(of: url) { return false }
            return keepsContent || !name.hasPrefix("content-")
        }
    }

    private static let secrets: Set<String> = ["authorization", "cookie", "proxy-authorization", "www-authenticate"]
}
