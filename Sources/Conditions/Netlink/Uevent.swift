/// A message of the kernel's device announcements: `ACTION@PATH` and `KEY=value` pairs, each closed by a zero byte.
package enum Uevent {
    /// Whether it is about a device of `subsystem`.
    package static func concerns(subsystem: StaticString, _ bytes: RawSpan) -> Bool {
        let wanted =
            unsafe Array("SUBSYSTEM=".utf8)
            + UnsafeBufferPointer(start: subsystem.utf8Start, count: subsystem.utf8CodeUnitCount)
        var start = 0
        while start < bytes.byteCount {
            var end = start
            while end < bytes.byteCount && bytes.u8(at: end) != 0 { end += 1 }
            if end - start == wanted.count && wanted.indices.allSatisfy({ bytes.u8(at: start + $0) == wanted[$0] }) {
                return true
            }
            start = end + 1
        }
        return false
    }
}
