/// The target of a request in origin form, such as `/v1/runs?limit=5`, taken apart and decoded (RFC 3986).
package struct RequestTarget: Sendable {
    /// Without the query, decoded.
    package private(set) var path: String
    /// Decoded, in the order given.
    package private(set) var query: [(name: String, value: String)]

    /// Parameters in a query at most.
    static let maximumParameters = 32

    package init(parsing target: [UInt8]) throws(Problem) {
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.first == UInt8(ascii: "/") else {
            throw .badTarget("the target does not begin with a slash")
        }
        path = try Self.decoded(first, plusIsSpace: false)
        query = []
        guard parts.count == 2, !parts[1].isEmpty else { return }
        let pieces = parts[1].split(separator: UInt8(ascii: "&"))
        guard pieces.count <= Self.maximumParameters else {
            throw .badTarget("the query has more than \(Self.maximumParameters) parameters")
        }
        for piece in pieces {
            let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count == 2 ? try Self.decoded(halves[1], plusIsSpace: true) : ""
            query.append((try Self.decoded(halves[0], plusIsSpace: true), value))
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Problem) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                result.append(UInt8(ascii: " "))
                continue
            }
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                throw .badTarget("a % is not followed by two hexadecimal digits")
            }
            result.append(high << 4 | low)
        }
        // A NUL would end the text early in C code; the others hide text on screens.
        guard !result.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .badTarget("the target has control characters")
        }
        guard let text = String(validating: result, as: UTF8.self) else {
            throw .badTarget("the target is not UTF-8")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

extension RequestTarget {
    /// The target that reads back as this path and query.
    package static func text(path: String, query: [(name: String, value: String)]) -> String {
        var text = encoded(path, keeping: "/")
        for (index, parameter) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + encoded(parameter.name) + "=" + encoded(parameter.value, keeping: ",")
        }
        return text
    }

    /// Everything but letters, digits and `-._~` as `%XX`.
    private static func encoded(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            case _ where kept.utf8.contains(byte): result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
