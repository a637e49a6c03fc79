import TaskModel
import Wire

/// The request that follows a redirect (RFC 9110 15.4).
struct Redirect {
    let url: TransferURL
    let method: String
    /// It sends the same content again.
    let keepsContent: Bool

    /// nil: the answer is final, not a redirect, or its location is missing or invalid (`FinalAnswer`).
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

    static let statuses: Set<UInt16> = [301, 302, 303, 307, 308]

    /// The header fields of the next request. At another origin, fields for the first server alone are removed; without
    /// content, so are those that describe it.
    func headers(_ headers: [HTTPHeader], from url: TransferURL) -> [HTTPHeader] {
        headers.filter { header in
            let name = header.name.lowercased()
            if Self.secrets.contains(name), !self.url.hasOrigin(of: url) { return false }
            return keepsContent || !name.hasPrefix("content-")
        }
    }

    private static let secrets: Set<String> = ["authorization", "cookie", "proxy-authorization", "www-authenticate"]
}
