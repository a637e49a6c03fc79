package import Foundation

/// A program that ran to its end.
package struct Command {
    package var status: Int32
    /// The signal that ended it; nil when it left by itself.
    package var signal: Int32?
    /// Standard output and standard error, in the order in which they were written; without the latter when it was kept
    /// apart.
    package var output: String
    /// Standard error, when it was kept apart.
    package var errors = ""

    package var succeeded: Bool { status == 0 && signal == nil }

    /// Runs `program`, a path or a name for the shell's search, and waits for its end.
    ///
    /// One that the test loses its patience with is killed.
    ///
    /// - Throws: `Problem` when it cannot be started or was killed for taking too long.
    package static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Command {
        try Program(program, arguments, in: folder, environment: environment).finish(patience: .long)
    }
}
