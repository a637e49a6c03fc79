import CLinux
import Glibc

/// A mapped shared library. Never unmapped: unloading is ending the process.
@safe package struct LoadedLibrary: @unchecked Sendable {  // dlopen handles may be used from any thread (dlopen(3))
    private let handle: UnsafeMutableRawPointer

    /// Maps the library with `RTLD_NOW | RTLD_LOCAL`: a missing symbol fails here, not in the middle of a run.
    package init(_ path: String) throws(LoadError) {
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw LoadError(Self.lastMessage()) }
        unsafe self.handle = unsafe handle
    }

    /// For all that is loaded later; false: it could not be.
    @discardableResult
    package static func preload(_ path: String) -> Bool { unsafe dlopen(path, RTLD_NOW | RTLD_GLOBAL) != nil }

    package func address(of symbol: String) throws(LoadError) -> UnsafeMutableRawPointer {
        guard let address = unsafe dlsym(handle, symbol) else { throw LoadError(Self.lastMessage()) }
        return unsafe address
    }

    /// A function of it, or of its dependencies (dlsym(3)); nil: there is none of that name.
    ///
    /// - Parameter type: as its header declares it, `@convention(c)`.
    package func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
        unsafe dlsym(handle, name).map { unsafe unsafeBitCast($0, to: type) }
    }

    /// The file that this program has `symbol` from; nil: nowhere, or unknown.
    package static func file(ofSymbol symbol: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let length = unsafe clinux_file_of_symbol(symbol, buffer.baseAddress, buffer.count)
            guard length >= 0 else { return nil }
            return unsafe String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private static func lastMessage() -> String {
        unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown loader error"
    }
}

/// The loader's own sentence.
package struct LoadError: Error {
    package var sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
}
