import TaskModel

/// Reads `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110 11.6.1): several ways in one field, several fields.
struct ChallengeParser {
    /// One way that is offered.
    struct Offer: Equatable {
        /// In small letters.
        var scheme: String
        /// By their names in small letters.
        var parameters: [String: String] = [:]
    }

    private var bytes: ArraySlice<UInt8>
    private(set) var offers: [Offer] = []

    /// How many parameters of one field are kept: no server sends more.
    private static let mostParameters = 64

    /// The challenges of a field that can be parsed.
    static func offers(_ field: String) -> [Offer] {
        var parser = ChallengeParser(bytes: Array(field.utf8)[...])
        parser.parse()
        return parser.offers
    }

    /// The strongest method of a 401 or 407 that an application can answer; nil: there is none.
    static func best(of answer: Answer) -> (method: TransferChallenge.Method, realm: String)? {
        let name = answer.status == 407 ? "proxy-authenticate" : "www-authenticate"
        let offers = answer.headers.filter { $0.name.lowercased() == name }.flatMap { Self.offers($0.value) }
        for (scheme, method) in order {
            if let offer = offers.first(where: { $0.scheme == scheme }) {
                return (method, offer.parameters["realm"] ?? "")
            }
        }
        return nil
    }

    private static let order: [(String, TransferChallenge.Method)] = [
        ("digest", .digest), ("basic", .basic), ("bearer", .bearer),
    ]

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func parse() {
        var count = 0
        while count < Self.mostParameters {
            skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
            let word = token()
            guard !word.isEmpty else { return }
            count += 1
            let hadBlank = skip { $0 == 0x20 || $0 == 0x09 }
            if bytes.first == 0x3D, !offers.isEmpty {
                bytes.removeFirst()
                skip { $0 == 0x20 || $0 == 0x09 }
                offers[offers.count - 1].parameters[word] = value()
            } else {
                offers.append(Offer(scheme: word))
                if hadBlank { skipToken68() }
            }
        }
    }

    /// Of schemes such as Negotiate: letters and `=` at their end, up to a comma, in the place of parameters.
    private mutating func skipToken68() {
        var rest = bytes
        while let byte = rest.first, byte != 0x3D, byte != 0x2C, byte != 0x20 { rest.removeFirst() }
        guard rest.count < bytes.count else { return }
        while rest.first == 0x3D { rest.removeFirst() }
        while rest.first == 0x20 { rest.removeFirst() }
        if rest.isEmpty || rest.first == 0x2C { bytes = rest }
    }

    @discardableResult
    private mutating func skip(_ isSkipped: (UInt8) -> Bool) -> Bool {
        let before = bytes.count
        bytes = bytes.drop(while: isSkipped)
        return bytes.count < before
    }

    /// In small letters.
    private mutating func token() -> String {
        let word = bytes.prefix { $0 > 0x20 && $0 != 0x2C && $0 != 0x3D && $0 != 0x22 && $0 < 0x7F }
        bytes = bytes.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    /// A token, or a text in quotes.
    private mutating func value() -> String {
        guard bytes.first == 0x22 else {
            let word = bytes.prefix { $0 > 0x20 && $0 != 0x2C }
            bytes = bytes.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self)
        }
        bytes.removeFirst()
        var text: [UInt8] = []
        while let byte = bytes.popFirst(), byte != 0x22 {
            if byte == 0x5C, let escaped = bytes.popFirst() { text.append(escaped) } else { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
