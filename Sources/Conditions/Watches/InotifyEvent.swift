import Glibc

/// One announcement of inotify(7).
package struct InotifyEvent {
    /// The number of the watch; -1: some announcements were lost.
    package var watch: Int32
    package var mask: UInt32
    /// Of the file in the folder; empty: the folder itself.
    package var name: String

    var isOverflow: Bool { watch < 0 }

    /// Takes what is waiting, at most `most` reads of it; what is left is announced again.
    static func forEach(from descriptor: Int32, most: Int = 4, _ body: (InotifyEvent) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            for _ in 0..<most {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                forEach(in: UnsafeRawBufferPointer(rebasing: buffer[0..<count]).bytes, body)
            }
        }
    }

    /// struct inotify_event: watch, mask, cookie, length of the name, the name with zero bytes behind it.
    package static func forEach(in bytes: RawSpan, _ body: (InotifyEvent) -> Void) {
        var start = 0
        while bytes.byteCount - start >= 16 {
            let length = Int(bytes.u32(at: start + 12))
            guard length <= bytes.byteCount - start - 16 else { return }
            var name: [UInt8] = []
            for offset in 0..<length {
                let byte = bytes.u8(at: start + 16 + offset)
                if byte == 0 { break }
                name.append(byte)
            }
            body(
                InotifyEvent(
                    watch: Int32(bitPattern: bytes.u32(at: start)), mask: bytes.u32(at: start + 4),
                    name: String(decoding: name, as: UTF8.self)))
            start += 16 + length
        }
    }
}
