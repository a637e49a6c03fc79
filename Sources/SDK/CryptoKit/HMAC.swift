public import Foundation

/// A code that authenticates a message. Comparisons take the same time wherever the bytes differ.
public protocol MessageAuthenticationCode: ContiguousBytes, CustomStringConvertible, Hashable, Sendable, Sequence
where Element == UInt8 {
    /// How many bytes it has.
    var byteCount: Int { get }
}

extension MessageAuthenticationCode {
    /// Its bytes.
    public func makeIterator() -> Array<UInt8>.Iterator { unsafe withUnsafeBytes { unsafe Array($0) }.makeIterator() }

    /// Whether all bytes are equal.
    public static func == (a: Self, b: Self) -> Bool { ConstantTime.equal(a, b) }

    /// Whether the data has the code's bytes.
    public static func == <Bytes: DataProtocol>(a: Self, b: Bytes) -> Bool {
        unsafe a.withUnsafeBytes { a in unsafe b.withBytes { b in unsafe ConstantTime.equal(a, b) } }
    }

    /// Whether the data has other bytes than the code.
    public static func != <Bytes: DataProtocol>(a: Self, b: Bytes) -> Bool { !(a == b) }

    /// By its bytes.
    public func hash(into hasher: inout Hasher) { unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}

/// The code that `HMAC` makes.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    let digest: H.Digest

    /// The length of the hash function's digest.
    public var byteCount: Int { H.Digest.byteCount }

    /// Calls the closure with the bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe digest.withUnsafeBytes(body)
    }

    /// `HMAC with `, the hash function, and the bytes in hexadecimal digits.
    public var description: String { "HMAC with \(H.self): \(hexadecimal)" }
}

/// Authentication of messages with a key and a hash function (RFC 2104).
public struct HMAC<H: HashFunction>: Sendable {
    /// A key of any length.
    public typealias Key = SymmetricKey
    /// What it makes.
    public typealias MAC = HashedAuthenticationCode<H>
    private var inner = H()
    private var outer = H()

    /// Starts with nothing but the key.
    public init(key: SymmetricKey) {
        let block = unsafe SecretBytes(count: H.blockByteCount) { buffer in
            if key.secret.count <= buffer.count {
                unsafe key.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            } else {
                let digest = unsafe key.withUnsafeBytes { unsafe H.hash(bufferPointer: $0) }
                unsafe digest.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            }
        }
        unsafe block.masked(with: 0x36).withUnsafeBytes { unsafe inner.update(bufferPointer: $0) }
        unsafe block.masked(with: 0x5C).withUnsafeBytes { unsafe outer.update(bufferPointer: $0) }
    }

    /// Takes in a part of the message.
    public mutating func update<Bytes: DataProtocol>(data: Bytes) { inner.update(data: data) }

    mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe inner.update(bufferPointer: bufferPointer) }

    /// The code of all that came so far. More may follow.
    public func finalize() -> HashedAuthenticationCode<H> {
        var outer = outer
        unsafe inner.finalize().withUnsafeBytes { unsafe outer.update(bufferPointer: $0) }
        return HashedAuthenticationCode(digest: outer.finalize())
    }

    /// The code of a message.
    public static func authenticationCode<Bytes: DataProtocol>(
        for data: Bytes, using key: SymmetricKey
    ) -> HashedAuthenticationCode<H> {
        var code = HMAC(key: key)
        code.update(data: data)
        return code.finalize()
    }

    /// Whether a code is that of a message.
    public static func isValidAuthenticationCode<Bytes: DataProtocol>(
        _ authenticationCode: HashedAuthenticationCode<H>, authenticating authenticatedData: Bytes,
        using key: SymmetricKey
    ) -> Bool {
        authenticationCode == Self.authenticationCode(for: authenticatedData, using: key)
    }

    /// Whether these bytes are the code of a message.
    public static func isValidAuthenticationCode<Code: ContiguousBytes, Bytes: DataProtocol>(
        _ authenticationCode: Code, authenticating authenticatedData: Bytes, using key: SymmetricKey
    ) -> Bool {
        ConstantTime.equal(authenticationCode, Self.authenticationCode(for: authenticatedData, using: key))
    }

    /// Whether a code is that of a message.
    public static func isValidAuthenticationCode(
        _ authenticationCode: HashedAuthenticationCode<H>, authenticating bufferPointer: UnsafeRawBufferPointer,
        using key: SymmetricKey
    ) -> Bool {
        var code = HMAC(key: key)
        unsafe code.update(bufferPointer: bufferPointer)
        return authenticationCode == code.finalize()
    }
}
