import TaskModel
import Wire

/// Assembles the head of an answer from its lines, as curl delivers them.
struct AnswerReader {
    private(set) var answer = Answer()
    /// The head of the final answer has ended; what follows are trailers.
    private(set) var isComplete = false
    private var bytes = 0

    /// Bytes of the heads of an exchange, interim answers included, beyond which the server is given up.
    static let mostBytes = 256 << 10

    /// The kind of a line.
    enum Line {
        /// A line within a head, or a trailer.
        case inside
        /// The end of the head of an interim answer.
        case interim
        /// The end of the head of a final answer.
        case final
    }

    /// Takes the next line, with its end.
    ///
    /// - Parameter mayFollow: another answer to the same request may follow a final one: libcurl authenticates by itself.
    mutating func take(_ line: UnsafeRawBufferPointer, mayFollow: Bool) throws(TransferFault) -> Line {
        bytes += line.count
        guard bytes <= Self.mostBytes else {
            throw TransferFault(
                .failed, .badServerResponse, "the server's header does not end; \(Self.mostBytes >> 10) KiB came")
        }
        var text = unsafe line[...]
        if isComplete {
            guard mayFollow, unsafe text.starts(with: "HTTP/".utf8) else { return .inside }
            isComplete = false
        }
        while let last = unsafe text.last, last == 0x0A || last == 0x0D { unsafe text = unsafe text.dropLast() }
        guard unsafe !text.isEmpty else {
            // Interim answers are followed by another head.
            guard answer.status >= 200 else { return .interim }
            isComplete = true
            return .final
        }
        if unsafe text.starts(with: "HTTP/".utf8) {
            answer = Answer()
            answer.status = unsafe Self.status(text)
        } else if let colon = unsafe text.firstIndex(of: 0x3A), unsafe colon > text.startIndex {
            let value = unsafe Self.trimmed(text[(colon + 1)...])
            unsafe answer.headers.append(
                HTTPHeader(String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return .inside
    }

    mutating func finish(length: Int64?, url: String, address: String) {
        answer.length = length
        answer.url = url
        answer.address = address
    }

    /// The number after the first blank.
    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> UInt16 {
        guard let blank = unsafe line.firstIndex(of: 0x20) else { return 0 }
        let digits = unsafe line[(blank + 1)...].prefix(3)
        return unsafe UInt16(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bytes = unsafe bytes.drop(while: isBlank)
        while let last = unsafe bytes.last, isBlank(last) { unsafe bytes = unsafe bytes.dropLast() }
        return unsafe bytes
    }
}
