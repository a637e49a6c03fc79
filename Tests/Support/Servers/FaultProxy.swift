import Foundation
import Glibc

/// A TCP proxy that does to connections what networks do (Tests/Fixtures/Servers/faults.py). It stops with this object.
package final class FaultProxy {
    /// What happens to a connection.
    package enum Fault: Sendable {
        case pass
        case refuse
        /// Closed once so many bytes came from the server.
        case cut(Int)
        case reset(Int)
        /// Closed once so many bytes came from the client.
        case cutUpload(Int)
        /// Nothing more passes after so many bytes from the server.
        case stall(Int)
        /// Seconds before the first byte passes.
        case delay(Double)
        /// Bytes in a tenth of a second, from the server.
        case slow(Int)

        fileprivate var line: String {
            switch self {
            case .pass: "pass"
            case .refuse: "refuse"
            case .cut(let bytes): "cut \(bytes)"
            case .reset(let bytes): "reset \(bytes)"
            case .cutUpload(let bytes): "cut-up \(bytes)"
            case .stall(let bytes): "stall \(bytes)"
            case .delay(let seconds): "delay \(seconds)"
            case .slow(let bytes): "slow \(bytes)"
            }
        }
    }

    package let port: UInt16
    private let folder: Folder
    private let program: Program

    /// - Parameters:
    ///   - target: the port on 127.0.0.1 that it leads to.
    ///   - plan: what happens to the connections, in their order; the last one holds for all others.
    package init(to target: UInt16, plan: Fault...) throws {
        folder = try Folder()
        try folder.write("plan", plan.map(\.line).joined(separator: "\n"))
        (program, port) = try Script.start("faults.py", ["\(target)", folder.file("plan").path])
    }

    /// For the connections from now on.
    package func plan(_ faults: Fault...) throws {
        let new = try folder.write("plan.new", faults.map(\.line).joined(separator: "\n"))
        guard rename(new.path, folder.file("plan").path) == 0 else { throw Problem("rename: \(errno)") }
    }

    /// Cuts all connections that are open.
    package func cutAll() throws { try signal(SIGUSR1, "all cut") }
    /// The link goes down: no one listens, and every connection is cut.
    package func goDown() throws { try signal(SIGUSR2, "down") }
    package func comeUp() throws { try signal(SIGUSR2, "up") }

    private func signal(_ number: Int32, _ answer: String) throws {
        let before = program.output.count(of: "\n\(answer)\n")
        try program.signal(number)
        try program.wait(forText: "\n\(answer)\n", count: before + 1)
    }

    /// Connections that `wait` has seen up to now.
    package var connections: Int { program.output.count(of: "\nopen ") }

    /// Waits until it has printed the line: `open …`, `cut`, `stalled`.
    package func wait(for line: String, count: Int = 1) throws { try program.wait(forText: line, count: count) }
}
