import Glibc

/// A mapped shared library. Never unmapped: unloading is ending the worker.
struct Library: @unchecked Sendable {  // dlopen handles may be used from any thread (dlopen(3))
    private let handle: UnsafeMutableRawPointer

    /// Maps the library with `RTLD_NOW | RTLD_LOCAL`: a missing symbol fails here, not in the middle of a run.
    static func open(_ path: String) throws(LoadError) -> Library {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw LoadError(lastMessage()) }
        return Library(handle: handle)
    }

    private init(handle: UnsafeMutableRawPointer) { self.handle = handle }

    func address(of symbol: String) throws(LoadError) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, symbol) else { throw LoadError(Self.lastMessage()) }
        return address
    }

    private static func lastMessage() -> String { dlerror().map { String(cString: $0) } ?? "unknown loader error" }
}

/// The loader's own sentence.
struct LoadError: Error {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
