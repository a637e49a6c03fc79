import TaskModel
import Wire

/// Which final answers are answers to a request, whatever they say; each other one has its error of `NSURLErrorDomain`. The
/// table stands in Documentation/Transfers.md.
enum FinalAnswer {
    /// - Throws: it is none.
    static func check(_ answer: Answer, to request: ExchangeRequest) throws(TransferFault) {
        let host = request.url.host
        func refuse(_ error: TransferError, _ sentence: String) -> TransferFault {
            TransferFault(.failed, error, "\(sentence); \(host); see the server")
        }
        // 101 ends as an answer without a final one.
        guard (200...599).contains(answer.status) else {
            throw refuse(.badServerResponse, "the server answered with \(answer.status), which is no status of HTTP")
        }
        try checkLength(of: answer, refuse)
        let asked = Set(request.headers.map { $0.name.lowercased() })
        switch answer.status {
        case 206 where !asked.contains("range"):
            throw refuse(.badServerResponse, "the server answered with a part of the file, and was asked for all of it")
        case 304 where asked.isDisjoint(with: ["if-none-match", "if-modified-since"]):
            throw refuse(.badServerResponse, "the server answered that nothing changed, and was not asked for that")
        case _ where Redirect.statuses.contains(answer.status):
            try checkRedirect(answer, from: request, refuse)
        default: break
        }
    }

    /// RFC 9110 8.6: digits; of several the same ones. libcurl takes the last one, and none that is too large for it.
    private static func checkLength(
        of answer: Answer, _ refuse: (TransferError, String) -> TransferFault
    ) throws(TransferFault) {
        guard answer["Transfer-Encoding"] == nil else { return }
        let lengths = Set(
            answer.all("Content-Length").flatMap { value in
                value.split(separator: ",", omittingEmptySubsequences: false).map {
                    $0.filter { $0 != " " && $0 != "\t" }
                }
            })
        guard lengths.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            throw refuse(.badServerResponse, "the answer's Content-Length is no number")
        }
        guard Set(lengths.map { Int64($0) }).count <= 1 else {
            throw refuse(.badServerResponse, "the answer has several lengths")
        }
        guard lengths.allSatisfy({ Int64($0) != nil }) else {
            throw refuse(.tooLarge, "the answer's Content-Length is more than any file has")
        }
    }

    private static func checkRedirect(
        _ answer: Answer, from request: ExchangeRequest, _ refuse: (TransferError, String) -> TransferFault
    ) throws(TransferFault) {
        guard let location = answer["Location"], !location.isEmpty else {
            throw refuse(
                .redirectToNonExistentLocation, "the server redirects with status \(answer.status), and not to where")
        }
        guard request.url.resolving(location) == nil else { return }
        // RFC 3986 3.1.
        let scheme = location.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        let isScheme =
            scheme.endIndex < location.endIndex && location[scheme.endIndex] == ":" && scheme.first?.isLetter == true
        guard isScheme, !["http", "https"].contains(scheme.lowercased()) else {
            throw refuse(.redirectToNonExistentLocation, "the server redirects to what is no URL")
        }
        throw refuse(.unsupportedURL, "the server redirects to a URL that is neither http nor https")
    }
}
