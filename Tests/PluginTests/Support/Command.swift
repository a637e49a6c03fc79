import Foundation

/// A program that ran to its end.
struct Command {
    var status: Int32
    /// The signal that ended it; nil when it left by itself.
    var signal: Int32?
    /// Standard output and standard error, in the order in which they were written.
    var output: String

    var succeeded: Bool { status == 0 && signal == nil }

    /// Runs `program`, a path or a name for the shell's search, and waits for its end.
    ///
    /// Output goes to a file: unlike a pipe, it ends with the program whatever the program leaves behind.
    static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Command {
        let log = FileManager.default.temporaryDirectory.appending(path: "taskhost-\(UUID().uuidString).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        let handle = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = program.contains("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        let isSignal = process.terminationReason == .uncaughtSignal
        return Command(
            status: isSignal ? -1 : process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
            output: String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }
}
