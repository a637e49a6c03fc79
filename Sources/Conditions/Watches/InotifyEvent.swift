package import Linux

/// One announcement of inotify(7).
package struct InotifyEvent {
    /// The number of the watch; -1: some announcements were lost.
    package var watch: Int32
    package var mask: Inotify.Mask
    /// Of the file in the folder; empty: the folder itself.
    package var name: String

    var isOverflow: Bool { watch < 0 }

    /// Reads waiting events, with at most `most` reads; the rest is announced again.
    static func forEach(from inotify: Inotify, most: Int = 4, _ body: (InotifyEvent) -> Void) {
        inotify.read(most: most) { forEach(in: $0, body) }
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
                    watch: Int32(bitPattern: bytes.u32(at: start)),
                    mask: Inotify.Mask(rawValue: bytes.u32(at: start + 4)),
                    name: String(decoding: name, as: UTF8.self)))
            start += 16 + length
        }
    }
}
