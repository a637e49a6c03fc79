import Foundation
import TestSupport

/// FeedRefresh as a user has it: its manifest, a state folder, and the built taskhost.
final class FeedReader {
    static let identifier = "org.taskhost.examples.feed-refresh"

    let folder: TestSupport.Folder
    private let manifest: URL

    /// - Parameters:
    ///   - ports: of the loopback that it may connect to.
    ///   - budget: of its task.
    init(ports: [UInt16], budget: [String: String] = ["wallClock": "30s", "grace": "5s"]) throws {
        folder = try TestSupport.Folder()
        let shipped = try Data(
            contentsOf: Places.root.appending(path: "manifests/\(Self.identifier).json"))
        var object = try JSONSerialization.jsonObject(with: shipped) as? [String: Any] ?? [:]
        object["$schema"] = nil
        object["permissions"] = ["network": ports.map { "127.0.0.1:\($0)" }]
        guard var tasks = object["tasks"] as? [String: [String: Any]] else { throw Problem("no tasks") }
        let memory = (tasks[Self.identifier]?["budget"] as? [String: String])?["memory"]
        tasks[Self.identifier]?["budget"] = budget.merging(["memory": memory ?? "256MiB"]) { $1 }
        object["tasks"] = tasks
        manifest = try folder.write(
            "manifests/\(Self.identifier).json", [UInt8](JSONSerialization.data(withJSONObject: object)))
    }

    var state: String { folder.file("state").path }
    /// The application's own folder of state.
    var own: URL {
        get throws {
            let found = FileManager.default.enumerator(at: folder.file("state"), includingPropertiesForKeys: nil)
            while let url = found?.nextObject() as? URL {
                if url.lastPathComponent == "feeds.sqlite" { return url.deletingLastPathComponent() }
            }
            throw Problem("no feeds.sqlite below \(state)")
        }
    }

    func taskhost(_ words: [String]) throws -> Command {
        try Program(
            Places.taskhost, words + ["--state", state, "--manifests", manifest.path], keepsErrorsApart: true
        ).finish()
    }

    /// What one refresh came to.
    struct Refresh {
        var outcome: String
        /// The line that it prints last.
        var summary: String
        var text: String
    }

    /// Refreshes `feeds` with these further settings.
    func refresh(_ feeds: [String], _ settings: [String: Any] = [:]) throws -> Refresh {
        let all = settings.merging(["feeds": feeds]) { $1 }
        let json = String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
        let command = try taskhost(["run", Self.identifier, "--json", "--settings", json])
        let text = command.output + command.errors
        let outcome = text.firstMatch(of: /"outcome":\s*"(\w+)"/).map { String($0.1) }
        let run = text.firstMatch(of: /"run":\s*"(\w{26})"/).map { String($0.1) } ?? ""
        let log = try Command.run(Places.taskhost, ["logs", run, "--state", state]).output
        let summary = log.split(separator: "\n").last { $0.hasPrefix("feeds ") }
        return Refresh(outcome: outcome ?? "none: \(text)", summary: String(summary ?? "none"), text: log + text)
    }

    func database() throws -> SQLite { try SQLite(own.appending(path: "feeds.sqlite")) }

    /// The requests that wait, each as the host reports it.
    func pending() throws -> [[String: Any]] {
        let output = try taskhost(["pending", "--json"]).output
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return object?["requests"] as? [[String: Any]] ?? []
    }
}
