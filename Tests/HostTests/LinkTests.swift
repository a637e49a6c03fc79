import Foundation
import TestSupport
import Testing

@Suite("The built programs")
struct LinkTests {
    @Test("link no Foundation", arguments: ["taskhost", "taskhost-worker", "taskhost-transfer"])
    func links(_ name: String) throws {
        let libraries = try Command.run("ldd", [Places.products.appending(path: name).path])
        #expect(libraries.succeeded && libraries.output.contains("libswiftCore.so"), "\(libraries.output)")
        #expect(!libraries.output.contains("Foundation"), "\(libraries.output)")
        #expect(!libraries.output.contains("not found"), "\(libraries.output)")
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
