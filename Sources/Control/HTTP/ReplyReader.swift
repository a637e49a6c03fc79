/// Reads one reply of HTTP/1.1 piece by piece (RFC 9112), as a client. Bounded: a host that sends nonsense fills no memory.
package struct ReplyReader: Sendable {
    /// Of a header, or of the lines between chunks.
    private static let lineBytes = 64 << 10

    private enum Stage: Sendable {
        case status, fields
        /// Bytes of the body, or of a chunk, that are left.
        case body(Int64), chunk(Int64)
        case chunkSize, chunkEnd, trailer
        case untilEnd
        case whole
    }

    /// 0 until the header is there.
    package private(set) var status = 0
    /// Fields of the header that were asked for, in their order.
    package private(set) var fields: [(name: String, value: String)] = []
    /// Their names, in lower case.
    private let kept: Set<String>
    /// Empty when the reply has none.
    package private(set) var contentType = ""
    /// Bytes of the body; nil: the reply has no length.
    package private(set) var length: Int64?
    /// The connection may serve another request.
    package private(set) var keepsConnection = true
    /// It is not a reply of HTTP/1.1.
    package private(set) var isBroken = false
    private var stage = Stage.status
    private var line: [UInt8] = []
    private var headBytes = 0
    private var isChunked = false
    private var heardStatus = 0

    /// All of it has come.
    package var isWhole: Bool { if case .whole = stage { true } else { false } }

    /// - Parameter kept: names of fields, in lower case, to hand out besides those that HTTP itself needs.
    package init(keeping kept: Set<String> = []) { self.kept = kept }

    /// Reads the next bytes; `body` gets those of the body, valid for the call, with the header's values, and ends the
    /// reading by returning false.
    ///
    /// - Returns: whether `body` wants more. Data after the reply are ignored, and end the connection.
    package mutating func take(
        _ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>, ReplyReader) -> Bool
    ) -> Bool {
        var rest = bytes
        while !rest.isEmpty, !isBroken {
            let count: Int
            switch stage {
            case .status, .fields, .chunkSize, .chunkEnd, .trailer:
                takeLine(from: &rest)
                continue
            case .body(let left):
                count = Int(min(left, Int64(rest.count)))
                stage = left == count ? .whole : .body(left - Int64(count))
            case .chunk(let left):
                count = Int(min(left, Int64(rest.count)))
                stage = left == count ? .chunkEnd : .chunk(left - Int64(count))
            case .untilEnd: count = rest.count
            case .whole:
                keepsConnection = false
                return true
            }
            guard body(rest.prefix(count), self) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The connection has ended; whether the reply is whole by that.
    package mutating func takeEnd() -> Bool {
        keepsConnection = false
        if case .untilEnd = stage { stage = .whole }
        return isWhole
    }

    private mutating func takeLine(from rest: inout ArraySlice<UInt8>) {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        line.append(contentsOf: rest[..<(end ?? rest.endIndex)])
        rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
        guard headBytes + line.count <= Self.lineBytes else {
            isBroken = true
            return
        }
        guard end != nil else { return }
        headBytes += line.count + 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if !take(line: text) { isBroken = true }
    }

    /// False: it has no place there.
    private mutating func take(line: String) -> Bool {
        switch stage {
        case .status:
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3,
                let status = Int(words[1]), (100..<600).contains(status)
            else { return false }
            heardStatus = status
            keepsConnection = words[0] == "HTTP/1.1"
            stage = .fields
        case .fields: return line.isEmpty ? endHeader() : take(field: line)
        case .chunkSize:
            let digits = line.prefix { $0 != ";" && $0 != " " }
            guard digits.first?.isHexDigit == true, let size = Int64(digits, radix: 16) else { return false }
            headBytes = 0
            stage = size == 0 ? .trailer : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { return false }
            stage = .chunkSize
        case .trailer: if line.isEmpty { stage = .whole }
        case .body, .chunk, .untilEnd, .whole: return false
        }
        return true
    }

    private mutating func take(field: String) -> Bool {
        guard let colon = field.firstIndex(of: ":") else { return false }
        let value = field[field.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let name = field[..<colon].lowercased()
        if kept.contains(name) { fields.append((name, String(value))) }
        switch name {
        case "content-type": contentType = String(value)
        case "connection": if value.lowercased() == "close" { keepsConnection = false }
        case "transfer-encoding":
            guard value.lowercased() == "chunked" else { return false }
            isChunked = true
        case "content-length":
            guard value.first?.isNumber == true, let count = Int64(value), length ?? count == count else {
                return false
            }
            length = count
        default: break
        }
        return true
    }

    private mutating func endHeader() -> Bool {
        // A second reading of where the body ends is a door for another reply.
        guard !isChunked || length == nil else { return false }
        if heardStatus < 200 {
            fields = []
            stage = .status
            return true
        }
        status = heardStatus
        if isChunked {
            stage = .chunkSize
        } else if status == 204 || status == 304 || length == 0 {
            stage = .whole
        } else if let length {
            stage = .body(length)
        } else {
            stage = .untilEnd
        }
        return true
    }
}
