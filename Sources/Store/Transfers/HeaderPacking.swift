import TaskModel

/// Fields of a request or an answer as bytes: for each the length of its name, its name, the length of its value, its value.
/// Lengths have two bytes, the lower one first.
enum HeaderPacking {
    /// A field whose length does not fit in two bytes is skipped.
    static func pack(_ headers: [HTTPHeader]) -> [UInt8] {
        var bytes: [UInt8] = []
        for header in headers {
            guard let name = UInt16(exactly: header.name.utf8.count),
                let value = UInt16(exactly: header.value.utf8.count)
            else { continue }
            append(name, header.name, to: &bytes)
            append(value, header.value, to: &bytes)
        }
        return bytes
    }

    private static func append(_ size: UInt16, _ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: size))
        bytes.append(UInt8(size >> 8))
        bytes.append(contentsOf: text.utf8)
    }

    /// Reads what `pack` wrote; nil for anything else.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [HTTPHeader]? {
        var headers: [HTTPHeader] = []
        var position = 0
        while position < bytes.count {
            guard let name = unsafe text(bytes, at: &position), let value = unsafe text(bytes, at: &position) else {
                return nil
            }
            headers.append(HTTPHeader(name, value))
        }
        return headers
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> String? {
        guard position + 2 <= bytes.count else { return nil }
        let start = position + 2
        let end = unsafe start + (Int(bytes[position]) | Int(bytes[position + 1]) << 8)
        guard end <= bytes.count else { return nil }
        position = end
        return unsafe String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
