import CTaskHost

/// A NUL-terminated text of the plugin; nil when it is longer than `most` bytes.
func readText(_ string: UnsafePointer<CChar>, most: Int) -> String? {
    let count = unsafe length(of: string, most: most + 1)
    guard count <= most else { return nil }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: string, count: count), as: UTF8.self)
}

/// The first bytes of a NUL-terminated text of the plugin, `most` at most.
func beginning(of string: UnsafePointer<CChar>, most: Int) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: string, count: length(of: string, most: most)), as: UTF8.self)
}

/// Whether a text of the plugin is that one. Allocates nothing.
func isText(_ string: UnsafePointer<CChar>, _ text: String) -> Bool {
    var next = unsafe string
    for byte in text.utf8 {
        guard unsafe next.pointee == CChar(bitPattern: byte) else { return false }
        unsafe next += 1
    }
    return unsafe next.pointee == 0
}

private func length(of string: UnsafePointer<CChar>, most: Int) -> Int {
    var count = 0
    while unsafe count < most && string[count] != 0 { count += 1 }
    return count
}

/// Writes as much of a text as fits with a final NUL, cut between two characters' codes.
func copyText(_ text: String, to target: UnsafeMutablePointer<CChar>?, _ capacity: UInt64) {
    guard let target = unsafe target, capacity > 0 else { return }
    let bytes = Array(text.utf8)
    var end = min(bytes.count, Int(clamping: capacity - 1))
    while end > 0, end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
    for index in 0..<end { unsafe target[index] = CChar(bitPattern: bytes[index]) }
    unsafe target[end] = 0
}
