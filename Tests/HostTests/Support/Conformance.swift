import Foundation
import TestSupport

/// A daemon with the application `Tests/Fixtures/ConformanceApplication`, called as in the reference's checks: `com.ex.app`, whose
/// tasks r1, r2 are refreshes, h1 is health research, job.* continued processing and all others processing.
struct Conformance {
    static let application = "com.ex.app"
    let station: Station
    private(set) var manifest: ManifestText

    static func identifier(_ name: String) -> String { "\(application).\(name)" }

    /// - Parameter steps: of each task that has some; the others complete at once.
    init(_ names: [String], steps: [String: [String]] = [:]) throws {
        station = try Station()
        let library = try Places.products.appending(path: "libConformanceApplication.so").path
        var tasks: [String: Any] = [:]
        for name in names + ["work"] {
            let kind =
                switch name.first {
                case "r": "appRefresh"
                case "h": "healthResearch"
                case "j": "continuedProcessing"
                default: "processing"
                }
            var task: [String: Any] = ["kind": kind, "settings": ["steps": steps]]
            if kind == "processing" || kind == "healthResearch" { task["requires"] = ["idle": false] }
            tasks[Self.identifier(name)] = task
        }
        manifest = ManifestText(members: [
            "identifier": Self.application, "library": library, "backgroundModes": ["fetch", "processing"],
            "tasks": tasks,
        ])
    }

    mutating func set(_ key: String, _ value: Any) { manifest[key] = value }
    mutating func setTask(_ name: String, _ key: String, _ value: Any) {
        manifest.setTask(Self.identifier(name), key, value)
    }

    func serve(_ options: String...) throws -> Daemon {
        try station.add(manifest)
        return try Daemon(station, options: options)
    }
}

extension Daemon {
    /// Runs the task `work` with these steps, to the end.
    /// - Returns: its log, line by line.
    @discardableResult
    func work(_ steps: String...) throws -> [String] {
        let task = Conformance.identifier("work")
        let settings = try JSONSerialization.data(withJSONObject: ["steps": ["work": steps]])
        let command = try station.start(
            ["run", task, "--json", "--settings", String(decoding: settings, as: UTF8.self)], manifests: false
        ).finish()
        let runs = try JSONDecoder().decode(RunDocument.List.self, from: Data(command.output.utf8)).runs
        guard let run = runs.first else { throw Problem("no run: \(command)") }
        return try station.lines(run)
    }

    /// The one run of a task that is recorded, by the rest of its identifier.
    func run(_ name: String) throws -> RunDocument {
        let runs = try runs(name)
        guard runs.count == 1 else { throw Problem("\(runs.count) runs of \(name): \(runs)") }
        return runs[0]
    }

    func runs(_ name: String) throws -> [RunDocument] {
        try station.history().filter { $0.identifier == Conformance.identifier(name) }
    }

    func ends(_ name: String, count: Int = 1) throws -> RunDocument {
        try wait(for: "run.ended", Conformance.identifier(name), count: count)
        guard let run = try runs(name).last else { throw Problem("no run of \(name)") }
        return run
    }

    /// The pending requests, by the rest of their identifiers.
    func pendingNames() throws -> [String] {
        try pending().map { String($0.identifier.dropFirst(Conformance.application.count + 1)) }
    }
}

extension Station {
    /// What a run logged and printed, line by line, without the level of what the fixture says.
    func lines(_ run: RunDocument) throws -> [String] {
        try logs(run).text.split(separator: "\n").map { line in
            line.hasPrefix("notice: ") ? String(line.dropFirst("notice: ".count)) : String(line)
        }
    }
}
