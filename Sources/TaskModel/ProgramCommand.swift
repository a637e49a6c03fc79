/// A program as a handler.
package struct ProgramCommand: Sendable, Equatable {
    /// The path of its file, and its arguments: one at least. The path and each argument may begin with `$MANIFEST`, `$STATE` or
    /// `$CACHE`.
    package var words: [String]
    /// Variables, each as `NAME=value`.
    package var environment: [String]
    /// Files with further variables, which come later and so count more; with a `-` before it a file may be missing.
    package var environmentFiles: [String]
    /// The folder that it is started in, which may begin as the words do; nil: `$STATE`, or without confinement its user's home.
    package var workingDirectory: String?
    /// What new files lack of their modes (umask(2)); nil: 077, or without confinement 022.
    package var fileModeMask: UInt32?
    /// It was started from a shell: its input, output and errors are those of the host's process, which come with the run.
    package var isOfShell = false

    /// Those of a command of a shell.
    package static let shellStreams = 3

    package init(
        _ words: [String], environment: [String] = [], environmentFiles: [String] = [], workingDirectory: String? = nil,
        fileModeMask: UInt32? = nil
    ) {
        self.words = words
        self.environment = environment
        self.environmentFiles = environmentFiles
        self.workingDirectory = workingDirectory
        self.fileModeMask = fileModeMask
    }

    /// A mask as manifests write it.
    package static func text(ofMask mask: UInt32) -> String {
        let digits = String(mask, radix: 8)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// The path of one of `environmentFiles`, and whether it may be missing.
    package static func place(of file: String) -> (path: String, isOptional: Bool) {
        file.hasPrefix("-") ? (String(file.dropFirst()), true) : (file, false)
    }
}

extension ProgramCommand: ExpressibleByArrayLiteral {
    package init(arrayLiteral words: String...) { self.init(words) }
}
