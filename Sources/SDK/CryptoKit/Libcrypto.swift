internal import CApplication
internal import CCryptoKit
import Foundation
internal import TaskHostRuntime

/// What an operation of CCryptoKit returned, as errors. Without libcrypto the journal says so once.
enum Libcrypto {
    static let missing = Int32(TASKHOST_CRYPTO_MISSING)
    static let refused = Int32(TASKHOST_CRYPTO_REFUSED)

    /// Why the library cannot be used, as a sentence.
    static var fault: String {
        unsafe taskhost_crypto_fault().map { unsafe String(cString: $0) } ?? "OpenSSL could not do it; try it again"
    }

    private static let told: Void = Diagnostic.write(fault)

    /// Throws unless an operation was done.
    static func check(_ status: Int32) throws {
        guard status != TASKHOST_CRYPTO_DONE else { return }
        if status == missing { told }
        throw CryptoKitError.underlyingCoreCryptoError(error: status)
    }

    /// What an operation gives that fails only without libcrypto or memory, where the interface has no error.
    static func require<Value>(_ value: Value?) -> Value {
        guard let value else { trap(fault) }
        return value
    }

    /// Ends the process with a sentence.
    static func trap(_ sentence: String) -> Never {
        StandardError.write("CryptoKit: \(sentence)")
        taskhost_sdk_flush_output()
        abort()
    }
}
