import Foundation

/// One run of the built `taskhost`.
struct Tool {
    var status: Int32
    var output: String
    /// Standard error.
    var errors: String

    /// Standard output as JSON.
    var document: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] else {
                throw Problem("no JSON object: \(output)")
            }
            return object
        }
    }

    /// The lines of standard error that the program itself says.
    var sentences: [String] {
        errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("taskhost: ") }
    }

    /// Runs `taskhost` and waits for its end.
    static func run(_ arguments: String..., in folder: Folder? = nil, environment: [String: String] = [:]) throws
        -> Tool
    {
        try run(arguments, in: folder, environment: environment)
    }

    static func run(_ arguments: [String], in folder: Folder? = nil, environment: [String: String] = [:]) throws -> Tool
    {
        try execute(try Places.taskhost.path, arguments, in: folder, environment: environment)
    }

    /// Runs a shell command in which `$taskhost` is the program.
    static func shell(_ command: String, in folder: Folder? = nil, environment: [String: String] = [:]) throws -> Tool {
        let own = ["taskhost": try Places.taskhost.path].merging(environment) { $1 }
        return try execute("/bin/sh", ["-c", command], in: folder, environment: own)
    }

    /// Output goes to files: unlike pipes, they end with the program whatever it leaves behind.
    static func execute(
        _ program: String, _ arguments: [String], in folder: Folder? = nil, environment: [String: String] = [:]
    ) throws -> Tool {
        let logs = try Folder()
        let output = try FileHandle(forWritingTo: logs.write("out", ""))
        let errors = try FileHandle(forWritingTo: logs.write("err", ""))
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = (folder ?? logs).url
        process.environment = Places.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: logs.file(name)), as: UTF8.self)
        }
        return Tool(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try text("out"), errors: try text("err"))
    }
}

/// `taskhost` or another program in the background, until it is ended. What it starts must end with it.
final class BackgroundTool {
    private let process = Process()
    private let pipe = Pipe()
    /// Its standard error as far as it was read.
    private(set) var seen = ""

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    convenience init(_ arguments: [String]) throws { try self.init(try Places.taskhost.path, arguments) }

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = Places.environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        try process.run()
    }

    deinit { if process.isRunning { kill(pid, SIGKILL) } }

    /// Reads its standard error until `text` comes; false when it ends without.
    func waitFor(_ text: String) -> Bool {
        while !seen.contains(text) {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { return false }
            seen += String(decoding: more, as: UTF8.self)
        }
        return true
    }

    /// Signals it and waits for its end.
    func end(_ signal: Int32) -> Int32 {
        kill(pid, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }
}
