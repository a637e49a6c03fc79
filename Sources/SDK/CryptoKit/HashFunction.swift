internal import CCryptoKit
public import Foundation

/// A hash function. Those of this module end the process, with a sentence, when libcrypto cannot be loaded.
public protocol HashFunction: Sendable {
    /// How many bytes it takes in at a time.
    static var blockByteCount: Int { get }
    /// Its digest.
    associatedtype Digest: CryptoKit.Digest
    /// Starts with nothing.
    init()
    /// Takes in bytes.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// The digest of all bytes that came so far. More may follow.
    func finalize() -> Digest
}

extension HashFunction {
    /// The digest of bytes.
    public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
        var function = Self()
        unsafe function.update(bufferPointer: bufferPointer)
        return function.finalize()
    }

    /// The digest of data.
    public static func hash<Bytes: DataProtocol>(data: Bytes) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Takes in data.
    public mutating func update<Bytes: DataProtocol>(data: Bytes) {
        for region in data.regions { unsafe region.withUnsafeBytes { unsafe update(bufferPointer: $0) } }
    }
}

/// A hash function of OpenSSL at work. A copy goes on by itself.
struct HashState: Sendable {
    /// The state, which OpenSSL overwrites when it goes.
    @safe private final class Storage: @unchecked Sendable {  // changed only with one reference
        let hash: taskhost_crypto_hash

        init(_ hash: taskhost_crypto_hash?) { unsafe self.hash = Libcrypto.require(hash) }
        deinit { unsafe taskhost_crypto_hash_free(hash) }

        func copy() -> Storage { unsafe Storage(taskhost_crypto_hash_copy(hash)) }
    }
    private var storage: Storage

    init(_ function: Int) { unsafe storage = Storage(taskhost_crypto_hash_new(Int32(function))) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        guard unsafe taskhost_crypto_hash_update(storage.hash, bytes.baseAddress, bytes.count) else {
            Libcrypto.trap(Libcrypto.fault)
        }
    }

    func digest<let count: Int>() -> InlineArray<count, UInt8> {
        let last = storage.copy()
        var bytes = InlineArray<count, UInt8>(repeating: 0)
        let done = unsafe withUnsafeMutableBytes(of: &bytes) { buffer in
            unsafe buffer.baseAddress.map { unsafe taskhost_crypto_hash_final(last.hash, $0) } ?? false
        }
        guard done else { Libcrypto.trap(Libcrypto.fault) }
        return bytes
    }
}
