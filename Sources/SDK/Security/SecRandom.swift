/// A source of random numbers: there is one, that of the kernel.
public final class SecRandomRef: Sendable {
    private init() {}
}

/// The source of random numbers.
public let kSecRandomDefault: SecRandomRef? = nil

/// Writes random bytes of the kernel's source, which are fit for keys.
/// - Parameters:
///   - rnd: of no effect.
///   - count: how many.
///   - bytes: where they are written.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> OSStatus {
    guard count >= 0 else { return errSecParam }
    var generator = SystemRandomNumberGenerator()
    for place in stride(from: 0, to: count, by: 8) {
        let word = generator.next()
        unsafe withUnsafeBytes(of: word) { word in
            unsafe (bytes + place).copyMemory(from: word.baseAddress!, byteCount: min(8, count - place))
        }
    }
    return errSecSuccess
}
