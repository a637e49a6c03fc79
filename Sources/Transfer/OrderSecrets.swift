import TaskModel
import Wire

/// What an order has that no sentence may show: the proxy, users and passwords, queries, and the values of header fields.
struct OrderSecrets {
    private var words: [[UInt8]] = []

    /// Texts of libraries may be cut at their limit, within a secret: as much of it gives it away.
    private static let piece = 8

    init(_ order: TransferOrder, _ request: ExchangeRequest?) {
        add(order.proxy)
        if let proxy = TransferURL(order.proxy) { [proxy.host, proxy.user, proxy.password].forEach { add($0) } }
        for url in [order.url, order.uploadLocation, request?.url.text ?? ""] { add(partsOf: url) }
        [order.user, order.password, request?.user ?? "", request?.password ?? ""].forEach { add($0) }
        for header in order.headers + (request?.headers ?? []) { add(header.value) }
    }

    private mutating func add(_ secret: String) {
        if !secret.isEmpty { words.append(Self.folded(secret)) }
    }

    private mutating func add(partsOf url: String) {
        if let parsed = TransferURL(url) { [parsed.user, parsed.password].forEach { add($0) } }
        if let start = url.firstIndex(where: { $0 == "?" || $0 == "#" }) { add(String(url[start...].dropFirst())) }
        let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { add(String(authority[..<at])) }
    }

    /// Whether the text has a secret, or eight bytes of one, in any letters.
    func areIn(_ text: String) -> Bool {
        let text = Self.folded(text)
        let pieces = Set((0..<max(0, text.count - Self.piece + 1)).map { Array(text[$0..<$0 + Self.piece]) })
        return words.contains { secret in
            guard secret.count >= Self.piece else { return Self.contains(text, secret) }
            return (0...secret.count - Self.piece).contains { pieces.contains(Array(secret[$0..<$0 + Self.piece])) }
        }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { text[$0...].starts(with: word) }
    }

    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
