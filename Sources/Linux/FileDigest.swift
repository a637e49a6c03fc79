import CCrypto
import Glibc

/// The checksum that a manifest pins a library by, and a transfer its file: SHA-256 by OpenSSL, which uses the processor's
/// instructions for it. Its library is mapped at the first digest: most processes never need one.
package enum FileDigest {
    /// Bytes that are read at once.
    private static let portion = 256 << 10

    /// SHA-256 of an open file's whole content, from its start, 32 bytes. The descriptor's offset stays.
    package static func sha256(of descriptor: Int32) throws(SystemError) -> [UInt8] {
        guard let library else { throw SystemError("dlopen", code: ELIBACC, object: libraryName) }
        var context = SHA256_CTX()
        _ = library.begin(&context)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 64)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = try Descriptor.fill(buffer, from: descriptor, at: Int64(offset))
            offset += count
            _ = library.update(&context, buffer.baseAddress, count)
            // Only the last portion is not full.
            if count < portion { break }
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = library.end(&digest, &context)
        return digest
    }

    /// As a manifest spells it: 64 hexadecimal digits.
    package static func text(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: OpenSSL

    private struct Library: Sendable {
        typealias Begin = @convention(c) (UnsafeMutablePointer<SHA256_CTX>) -> Int32
        typealias Update = @convention(c) (UnsafeMutablePointer<SHA256_CTX>, UnsafeRawPointer?, Int) -> Int32
        typealias End = @convention(c) (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<SHA256_CTX>) -> Int32

        let begin: Begin
        let update: Update
        let end: End
    }

    /// The one whose header this was built with: the context's layout is its own.
    private static let libraryName = "libcrypto.so.\(OPENSSL_SHLIB_VERSION)"

    /// nil: the machine lacks it. It stays mapped.
    private static let library: Library? = {
        guard let image = try? LoadedLibrary(libraryName),
            // As openssl/sha.h declares them.
            let begin: Library.Begin = image.function("SHA256_Init"),
            let update: Library.Update = image.function("SHA256_Update"),
            let end: Library.End = image.function("SHA256_Final")
        else { return nil }
        return Library(begin: begin, update: update, end: end)
    }()
}
