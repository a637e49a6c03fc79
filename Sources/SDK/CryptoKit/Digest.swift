internal import CCryptoKit
public import Foundation

/// The digest of a hash function. Comparisons take the same time wherever the bytes differ.
public protocol Digest: ContiguousBytes, CustomStringConvertible, Hashable, Sendable, Sequence where Element == UInt8 {
    /// How many bytes it has.
    static var byteCount: Int { get }
}

extension Digest {
    /// Its bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { unsafe withUnsafeBytes { unsafe Array($0) }.makeIterator() }

    /// Whether all bytes are equal.
    public static func == (a: Self, b: Self) -> Bool { ConstantTime.equal(a, b) }

    /// Whether the data has the digest's bytes.
    public static func == <Bytes: DataProtocol>(a: Self, b: Bytes) -> Bool {
        unsafe a.withUnsafeBytes { a in unsafe b.withBytes { b in unsafe ConstantTime.equal(a, b) } }
    }

    /// Whether the data has other bytes than the digest.
    public static func != <Bytes: DataProtocol>(a: Self, b: Bytes) -> Bool { !(a == b) }

    /// By its bytes.
    public func hash(into hasher: inout Hasher) { unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}

/// The digest of SHA-256.
public struct SHA256Digest: Digest {
    let bytes: InlineArray<32, UInt8>

    /// 32.
    public static var byteCount: Int { 32 }

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe Swift.withUnsafeBytes(of: bytes, body)
    }

    /// `SHA256 digest: ` and the bytes in hexadecimal digits.
    public var description: String { "SHA256 digest: \(hexadecimal)" }
}

/// The digest of SHA-384.
public struct SHA384Digest: Digest {
    let bytes: InlineArray<48, UInt8>

    /// 48.
    public static var byteCount: Int { 48 }

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe Swift.withUnsafeBytes(of: bytes, body)
    }

    /// `SHA384 digest: ` and the bytes in hexadecimal digits.
    public var description: String { "SHA384 digest: \(hexadecimal)" }
}

/// The digest of SHA-512.
public struct SHA512Digest: Digest {
    let bytes: InlineArray<64, UInt8>

    /// 64.
    public static var byteCount: Int { 64 }

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe Swift.withUnsafeBytes(of: bytes, body)
    }

    /// `SHA512 digest: ` and the bytes in hexadecimal digits.
    public var description: String { "SHA512 digest: \(hexadecimal)" }
}
