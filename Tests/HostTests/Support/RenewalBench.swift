import Foundation
import TestSupport

/// An application whose credentials a task of its manifest renews, and a server that accepts one alone: `/guarded` of `Origin`.
struct RenewalBench {
    let task: String
    let origin: Origin
    let bench: TransferBench
    /// What the server accepts; no file has it, only the memory of processes that know it.
    let token: String
    let file: [UInt8]

    /// - Parameter function: of the fixture `renewal.c`; nil: a handler of the application renews.
    init(_ function: String?, budget: [String: String] = ["wallClock": "30s", "grace": "1s"]) throws {
        let origin = try Origin()
        let name = TransferBench.application + (function == nil ? ".token" : ".foreign")
        task = name
        let random = (0..<24).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
        try origin.add("realm", Array(random.utf8))
        token = String(random.reversed())
        file = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try origin.add("a", file)
        self.origin = origin
        let library = try Places.built.get().appending(path: "librenewal.so").path
        bench = try TransferBench { manifest in
            var task: [String: Any] = ["kind": "processing", "budget": budget]
            task["handler"] = function.map {
                [
                    "library": library, "symbol": $0, "signature": "string(string, string)",
                    "arguments": [["payload": "string"], "$STATE"],
                ] as [String: Any]
            }
            manifest.addTask(name, task)
            manifest["permissions"] = ["network": ["loopback:\(origin.port)"], "read": [library]]
            manifest["transfers"] = ["renew": ["task": name, "hosts": ["127.0.0.1"]] as [String: Any]]
        }
    }

    /// Has the application begin so many transfers, and die before the server denies them.
    func beginAndDie(_ number: Int = 1) throws {
        let downloads = (0..<number).map { "download s \(origin.url("guarded?file=a&hold=go&number=\($0)"))" }
        try bench.perform((["open s", "replay s"] + downloads).joined(separator: "\n"))
        try bench.kill()
        try origin.add("go", [])
    }

    /// Writes a file into the application's state folder.
    func write(_ name: String) throws {
        try Data().write(to: URL(filePath: bench.folder("state/" + name)))
    }

    /// How often the function was called.
    var renewals: Int {
        let text = try? String(contentsOfFile: bench.folder("state/renewals"), encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    /// Ends of the runs that were to renew.
    func outcomes() throws -> [String?] {
        try bench.station.history().filter { $0.identifier == task }.map(\.outcome)
    }

    /// Files below a folder that have the token in them; all that they hold counts, whatever their modes.
    func leaks(below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { folder + "/" + $0 }.filter { path in
            (try? Data(contentsOf: URL(filePath: path)))?.range(of: Data(token.utf8)) != nil
        }
    }
}
