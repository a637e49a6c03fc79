import Glibc

/// Names that the Swift compiler gives.
package enum SwiftSymbol {
    /// In source form, such as `Reader.read() -> Bool`; a name that is not Swift's is unchanged.
    package static func demangled(_ name: String) -> String {
        guard let text = unsafe demangle(name, name.utf8.count, nil, nil, 0) else { return name }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

/// Of the Swift runtime (swift/Demangling); nil for names that are not Swift's. The caller frees the result.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
