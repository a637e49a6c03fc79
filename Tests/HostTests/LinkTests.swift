import Foundation
import TestSupport
import Testing

@Suite("The built programs")
struct LinkTests {
    @Test("link no Foundation", arguments: ["taskhost", "taskhost-worker", "taskhost-transfer"])
    func links(_ name: String) throws {
        let libraries = try Command.run("ldd", [Places.products.appending(path: name).path])
        #expect(libraries.succeeded && !libraries.output.contains("Foundation"), "\(libraries.output)")
        #expect(!libraries.output.contains("not found"), "\(libraries.output)")
    }

    @Test(
        "have the Swift runtime within the worker, where no plugin finds it",
        .disabled(if: Places.isSanitized, "a sanitized worker has a shared runtime"))
    func worker() throws {
        let worker = try Places.products.appending(path: "taskhost-worker").path
        let libraries = try Command.run("ldd", [worker])
        #expect(libraries.succeeded && !libraries.output.contains("libswift"), "\(libraries.output)")
        #expect(!libraries.output.contains("libstdc++"), "\(libraries.output)")
        let symbols = try Command.run("nm", ["--dynamic", "--defined-only", worker])
        let names = symbols.output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(symbols.succeeded && names.contains("getaddrinfo"), "\(symbols)")
        #expect(names.filter { $0.hasPrefix("swift_") || $0.hasPrefix("$s") }.isEmpty, "\(names)")
    }

    @Test("run the frozen plugin of ABI version 1")
    func frozen() throws {
        let station = try Station()
        let application = try station.add(fixture: "fixtures.frozen")
        let report = try station.run(application.identifier)
        #expect(report.runs.count == application.tasks.count && application.tasks.count == 2)
        for run in report.runs {
            #expect(run.outcome == "succeeded", "\(run)")
            #expect(try station.logs(run).text.contains("version 1 is whole"))
        }
    }
}
