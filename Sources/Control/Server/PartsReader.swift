import CMicroHTTPD

/// Gives libmicrohttpd a reply's body as the client takes it, a part after the other.
///
/// Thread: the loop's, within `MHD_run`.
final class PartsReader {
    /// The largest block that is requested.
    private static let blockSize = 64 << 10

    private let size: Int
    /// The remaining parts, the next one last.
    private var parts: [[UInt8]]
    /// Bytes of the next part that are sent.
    private var start = 0

    init(_ parts: [[UInt8]]) {
        size = parts.reduce(0) { $0 + $1.count }
        self.parts = parts.reversed()
    }

    /// The response, which retains the reader.
    func response() -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self)
        let response = unsafe MHD_create_response_from_callback(
            UInt64(size), Self.blockSize,
            { context, _, buffer, room in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                return unsafe Unmanaged<PartsReader>.fromOpaque(context).takeUnretainedValue().fill(buffer, room)
            }, unsafe context.toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<PartsReader>.fromOpaque(context).release() }
            })
        if unsafe response == nil { unsafe context.release() }
        return unsafe response
    }

    /// The next bytes, from one part; -1 when there are none left.
    private func fill(_ buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
        while let part = parts.last {
            let count = min(room, part.count - start)
            if count > 0 {
                unsafe part.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
                }
                start += count
            }
            if start == part.count {
                parts.removeLast()
                start = 0
            }
            if count > 0 { return count }
        }
        return -1
    }
}
