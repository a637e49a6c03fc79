import CTaskHost
import Glibc

/// A NUL-terminated text of the plugin; nil when it is longer than `most` bytes.
func readText(_ string: UnsafePointer<CChar>, most: Int) -> String? {
    let count = strnlen(string, most + 1)
    guard count <= most else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: string, count: count), as: UTF8.self)
}

/// Writes as much of a text as fits with a final NUL, cut between two characters' codes.
func copyText(_ text: String, to target: UnsafeMutablePointer<CChar>?, _ capacity: UInt64) {
    guard let target, capacity > 0 else { return }
    let bytes = Array(text.utf8)
    var end = min(bytes.count, Int(clamping: capacity - 1))
    while end > 0, end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
    for index in 0..<end { target[index] = CChar(bitPattern: bytes[index]) }
    target[end] = 0
}
