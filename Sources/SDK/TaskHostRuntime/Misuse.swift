import CApplication
import CTaskHost
import Foundation

/// A use of the framework that ends an iOS app with an exception.
package enum Misuse {
    /// The name of most exceptions.
    package static let inconsistency = "NSInternalInconsistencyException"

    /// In strict mode ends the process, with the framework's own message on standard error. In lenient mode the message goes
    /// to the host's journal, and the caller continues.
    /// - Parameters:
    ///   - sentence: the framework's message.
    ///   - advice: what to do about it.
    ///   - exception: the name of the exception.
    package static func found(_ sentence: String, advice: String, exception: String = inconsistency) {
        guard let host = ConnectedHost.current, !host.isStrict, let scheduling = unsafe host.scheduling else {
            trap(sentence, advice: advice, exception: exception)
        }
        unsafe scheduling.pointee.report("\(sentence); \(advice)")
    }

    /// Ends the process. Linux has no Objective-C exceptions: this imitates an uncaught one.
    package static func trap(_ sentence: String, advice: String, exception: String = inconsistency) -> Never {
        StandardError.write(
            "*** Terminating app due to uncaught exception '\(exception)', reason: '\(sentence)'\n"
                + "taskhost: \(advice)")
        taskhost_sdk_flush_output()
        abort()
    }
}

/// Lines on standard error, each in one write.
package enum StandardError {
    package static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Foundation.write(2, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
