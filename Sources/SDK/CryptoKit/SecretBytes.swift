internal import CCryptoKit
import Foundation

/// Bytes that are overwritten when the last reference goes. They never change after their creation.
@safe final class SecretBytes: @unchecked Sendable {  // immutable
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - count: how many.
    ///   - fill: writes them; they are zero before.
    init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        unsafe memory = .allocate(byteCount: count, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        try unsafe fill(memory)
    }

    /// Copies bytes.
    convenience init(copying bytes: UnsafeRawBufferPointer) {
        unsafe self.init(count: bytes.count) { unsafe $0.copyMemory(from: bytes) }
    }

    /// Copies bytes.
    static func copy(_ bytes: some ContiguousBytes) -> SecretBytes {
        unsafe bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }

    /// Random bytes of the kernel.
    /// - Parameter mask: the bits that the first byte may have.
    convenience init(randomCount count: Int, firstByte mask: UInt8 = 0xFF) {
        unsafe self.init(count: count) { buffer in
            guard let start = buffer.baseAddress, unsafe taskhost_crypto_random(start, count) else {
                Libcrypto.trap("the kernel gives no random bytes; getrandom(2); allow it in the process's filter")
            }
            unsafe buffer[0] &= mask
        }
    }

    deinit {
        if let start = unsafe memory.baseAddress { unsafe taskhost_crypto_wipe(start, memory.count) }
        unsafe memory.deallocate()
    }

    var count: Int { unsafe memory.count }
    /// A copy, which nobody overwrites.
    var data: Data { unsafe Data(memory) }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(memory))
    }

    /// Each byte, exclusively or'ed with another.
    func masked(with mask: UInt8) -> SecretBytes {
        unsafe SecretBytes(count: count) { buffer in
            for unsafe(index, byte) in unsafe memory.enumerated() { unsafe buffer[index] = byte ^ mask }
        }
    }
}

/// Comparison in a time that depends on lengths alone.
enum ConstantTime {
    static func equal(_ a: some ContiguousBytes, _ b: some ContiguousBytes) -> Bool {
        unsafe a.withUnsafeBytes { a in unsafe b.withUnsafeBytes { b in unsafe equal(a, b) } }
    }

    static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        return unsafe taskhost_crypto_equal(a.baseAddress, b.baseAddress, a.count)
    }
}

extension DataProtocol {
    /// The bytes in one piece. A copy, where one is needed, is overwritten afterwards.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let regions = regions
        if let first = regions.first, regions.count == 1 { return try unsafe first.withUnsafeBytes(body) }
        let copy = unsafe SecretBytes(count: count) { buffer in
            var start = 0
            for region in regions {
                unsafe region.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: bytes)
                }
                start += region.count
            }
        }
        return try unsafe copy.withUnsafeBytes(body)
    }
}

extension Sequence<UInt8> {
    /// Two digits for each byte.
    var hexadecimal: String {
        reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }
}
