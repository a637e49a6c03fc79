import Foundation
import TestSupport

/// An application under `taskhost serve`, and a file of its state folder that it writes lines into.
final class ServedApplication {
    static let identifier = "com.ex.app"
    private let folder: Folder
    private let daemon: Program
    private let written: GrowingFile

    /// - Parameters:
    ///   - library: its path.
    ///   - file: the file's name.
    ///   - members: of the manifest, beside `identifier` and `library`.
    ///   - options: of `taskhost serve`.
    init(_ library: String, file: String, members: [String: Any] = [:], options: [String] = []) throws {
        folder = try Folder()
        var manifest = members
        manifest["identifier"] = Self.identifier
        manifest["library"] = library
        try folder.write("manifests/app.json", JSONSerialization.data(withJSONObject: manifest))
        let places = ["--state", folder.file("state").path, "--manifests", folder.file("manifests").path]
        daemon = try Program(Places.taskhost, ["serve"] + places + options)
        try daemon.wait(forText: "serving ")
        let path = folder.file("state/applications/\(Self.identifier)/state/\(file)").path
        written = try GrowingFile(path)
    }

    @discardableResult
    func tell(_ words: String...) throws -> String {
        let command = try Command.run(Places.taskhost, words + ["--state", folder.file("state").path])
        guard command.succeeded else { throw Problem("\(words): \(command.output)") }
        return command.output
    }

    /// Asks again whenever something happened in the daemon, until it is so; `begin` happens before.
    func waitUntil(_ isSo: () throws -> Bool, after begin: () throws -> Void = {}) throws {
        let events = try Program(
            "curl",
            ["-sN", "--unix-socket", folder.file("state/control.sock").path, "http://localhost/v1/events"])
        try events.wait(forText: "retry:")
        try begin()
        while true {
            let seen = events.output.utf8.count
            if try isSo() { return }
            try events.wait(until: { $0.utf8.count > seen }, for: "another event")
        }
    }

    /// Sends it to the background, and waits until it is suspended.
    func suspend() throws {
        try waitUntil({ try tell("list").contains("suspended") }, after: { try tell("background", Self.identifier) })
    }

    /// A file of its state folder.
    func file(_ name: String) -> URL {
        folder.file("state/applications/\(Self.identifier)/state/\(name)")
    }

    /// Waits until it has written the line so often.
    func wait(for line: String, count: Int = 1) throws {
        try written.wait(for: line, count: count) { $0 == line }
    }

    /// Ends the daemon, and returns every line that the application wrote before its end.
    func stop(lastLine: String, count: Int = 1) throws -> [String] {
        try daemon.signal(SIGTERM)
        _ = try daemon.finish()
        try wait(for: lastLine, count: count)
        return written.lines
    }
}
