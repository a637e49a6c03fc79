import Foundation

/// An HTTP proxy (Tests/Fixtures/Servers/forward.py). It stops with this object.
package final class ForwardProxy {
    package let port: UInt16
    private let program: Program

    /// - Parameter credentials: `user:password` that it requires, by basic authentication; nil: it requires none.
    package init(credentials: String? = nil) throws {
        (program, port) = try Script.start("forward.py", credentials.map { [$0] } ?? [])
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Waits until it has printed the line: `METHOD TARGET STATUS …`.
    package func wait(forAnswer line: String, count: Int = 1) throws { try program.wait(forText: line, count: count) }
}
