/// A system call that failed: which, with what errno, on what.
package struct SystemError: Error, Sendable, Equatable {
    package var call: String
    package var code: Errno
    /// The path or object concerned; empty when there is none.
    package var object: String

    package init(_ call: String, code: Errno, object: String = "") {
        self.call = call
        self.code = code
        self.object = object
    }

    /// Of the kernel's number. `EBADF` ends the process: all descriptors that come here are our own.
    init(_ call: String, code: Int32, object: String = "") {
        if code == Errno.EBADF.rawValue { Descriptor.isNotOpen(call) }
        self.init(call, code: Errno(code), object: object)
    }
}

extension SystemError: CustomStringConvertible {
    /// Such as `open /x: Permission denied`.
    package var description: String {
        object.isEmpty ? "\(call): \(code)" : "\(call) \(object): \(code)"
    }
}

/// Turns the `-errno` convention of CLinux into a throw.
@discardableResult
package func check(_ result: Int32, _ call: String, _ object: @autoclosure () -> String = "") throws(SystemError)
    -> Int32
{
    guard result >= 0 else { throw SystemError(call, code: -result, object: object()) }
    return result
}
