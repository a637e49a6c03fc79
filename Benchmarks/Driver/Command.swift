import Foundation

/// One program run to its end.
struct Command {
    var path: String
    var arguments: [String]
    /// Added to the driver's own.
    var environment: [String: String] = [:]

    struct Output {
        var status: Int32
        var standardOutput: Data
        var standardError: String
    }

    /// Runs it and collects what it says. A status other than 0 is no error here.
    func run() throws -> Output {
        let process = makeProcess()
        let output = Pipe()
        process.standardOutput = output
        // A file: two pipes read one after the other can block a program that fills the second.
        let complaints = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: complaints.path, contents: nil) else {
            throw BenchmarkError.failed("\(complaints.path) cannot be written")
        }
        defer { try? FileManager.default.removeItem(at: complaints) }
        process.standardError = try? FileHandle(forWritingTo: complaints)
        try Self.start(process)
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Output(
            status: process.terminationStatus, standardOutput: text,
            standardError: (try? String(contentsOf: complaints, encoding: .utf8)) ?? "")
    }

    /// Starts it without waiting; the caller ends it.
    func start(input: Pipe? = nil) throws -> Process {
        let process = makeProcess()
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try Self.start(process)
        return process
    }

    /// Runs it and decodes the document that it prints. Any status but 0 and `allowed` is an error.
    func decode<Document: Decodable>(
        _ type: Document.Type, allowing allowed: Int32 = 0
    ) throws -> Document {
        let output = try run()
        guard output.status == 0 || output.status == allowed else {
            throw BenchmarkError.failed(
                "\(name) ended with status \(output.status): \(output.standardError.suffix(500))")
        }
        do { return try JSONDecoder().decode(type, from: output.standardOutput) } catch {
            throw BenchmarkError.failed("\(name) printed something else than expected: \(error)")
        }
    }

    /// What the driver's children that have ended had, and theirs that they waited for.
    static var usageOfChildren: rusage {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return usage
    }

    /// Runs it under strace and counts its system calls by name.
    ///
    /// - Parameters:
    ///   - folder: for strace's table.
    ///   - follows: those of its children as well.
    func systemCalls(in folder: String, follows: Bool = false) throws -> [String: Double] {
        let table = "\(folder)/calls"
        let output = try Command(
            path: "/usr/bin/env",
            arguments: ["strace", "-c", "-U", "name,calls", "-o", table] + (follows ? ["-f"] : []) + [path] + arguments
        ).run()
        guard output.status == 0, let text = try? String(contentsOfFile: table, encoding: .utf8) else {
            throw BenchmarkError.failed(
                "strace ended with status \(output.status): \(output.standardError.suffix(500))")
        }
        var calls: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[1] != "total", words[0] != "total", let number = Double(words[1]) {
                calls[String(words[0])] = number
            }
        }
        return calls
    }

    private var name: String { ([path] + arguments).joined(separator: " ") }

    private func makeProcess() -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private static func start(_ process: Process) throws {
        do { try process.run() } catch {
            throw BenchmarkError.failed(
                "\(process.executableURL?.path ?? "?") cannot be run: \(error.localizedDescription)")
        }
    }
}
