import Glibc

/// A system call that failed: which, with what errno, on what.
package struct SystemError: Error, Sendable, Equatable {
    package var call: String
    package var code: Int32
    /// The path or object concerned; empty when there is none.
    package var object: String

    package init(_ call: String, code: Int32, object: String = "") {
        self.call = call
        self.code = code
        self.object = object
    }
}

extension SystemError: CustomStringConvertible {
    /// Such as `open /x: Permission denied`.
    package var description: String {
        object.isEmpty ? "\(call): \(Self.text(of: code))" : "\(call) \(object): \(Self.text(of: code))"
    }

    /// The C library's words for an errno; thread-safe since glibc 2.32.
    package static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}

/// Turns the `-errno` convention of CLinux into a throw.
@discardableResult
package func check(_ result: Int32, _ call: String, _ object: @autoclosure () -> String = "") throws(SystemError)
    -> Int32
{
    guard result >= 0 else { throw SystemError(call, code: -result, object: object()) }
    return result
}
