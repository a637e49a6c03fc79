import Control
package import TaskModel

/// The links that bring a browser in, each once and for a minute, and the key that it gets for one. Randomness and time come
/// from outside.
package struct PageKeys: Sendable {
    /// What a link was good for.
    package enum Exchange: Equatable, Sendable {
        case key(String)
        /// It was one of ours, and is used or too old.
        case spent
        case wrong
    }

    /// How long a link is good.
    package static let life = TimeSpan.seconds(60)
    /// Random bytes of a token and of a key.
    package static let secretBytes = 32
    /// Of a proxy's name.
    package static let nameBytes = 8
    /// So many wrong keys and tokens are no accident.
    package static let wrongKeys = 10
    /// Links that are remembered, so that one opened again is not taken for a guess.
    private static let mostLinks = 64

    private struct Link: Sendable {
        var token: BearerToken
        var end: Instant
        var isUsed = false
    }

    /// Begins each of its keys, so that a key which another proxy gave, and a browser has kept, is not taken for a guess.
    private let name: String
    private let key: String
    private let bearer: BearerToken
    private var links: [Link] = []
    /// Wrong keys and tokens so far.
    package private(set) var wrong = 0
    /// Somebody guesses.
    package var isBesieged: Bool { wrong >= Self.wrongKeys }

    /// - Parameters:
    ///   - name: `nameBytes` random bytes, which are no secret.
    ///   - secret: `secretBytes` random bytes.
    package init(name: [UInt8], secret: [UInt8]) {
        precondition(name.count == Self.nameBytes && secret.count == Self.secretBytes, "a key has its full length")
        self.name = Self.hexadecimal(name) + "."
        key = self.name + Self.hexadecimal(secret)
        bearer = Self.token(key)
    }

    /// A new link's token, from `secretBytes` random bytes.
    package mutating func makeToken(from secret: [UInt8], at now: Instant) -> String {
        precondition(secret.count == Self.secretBytes, "a token has its full length")
        let text = Self.hexadecimal(secret)
        if links.count == Self.mostLinks { links.removeFirst() }
        links.append(Link(token: Self.token(text), end: now + Self.life))
        return text
    }

    /// Takes a link's token in exchange for the key.
    package mutating func exchange(_ text: String, at now: Instant) -> Exchange {
        // All are compared, so that the time tells nothing of the place.
        var found: Int?
        for (index, link) in links.enumerated() where link.token.matches(text) { found = index }
        guard let found else {
            wrong += 1
            return .wrong
        }
        defer { links[found].isUsed = true }
        return links[found].isUsed || now >= links[found].end ? .spent : .key(key)
    }

    /// Whether a request with this `Authorization` has the key; a wrong one counts.
    package mutating func admits(_ authorization: String) -> Bool {
        if bearer.admits(authorization) { return true }
        if !isOfAnother(authorization) { wrong += 1 }
        return false
    }

    /// Whether it has the form of our keys and the name of another proxy: whoever sends it knows that it is no key here.
    private func isOfAnother(_ authorization: String) -> Bool {
        let words = authorization.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * Self.nameBytes,
            parts[1].utf8.count == 2 * Self.secretBytes,
            parts.allSatisfy({ $0.utf8.allSatisfy(Self.digits.contains) })
        else { return false }
        return parts[0] + "." != name
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func token(_ text: String) -> BearerToken {
        guard let token = BearerToken(Array(text.utf8)) else {
            preconditionFailure("hexadecimal digits and a point are visible ASCII")
        }
        return token
    }
}
