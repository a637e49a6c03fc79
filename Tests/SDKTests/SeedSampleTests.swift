import Foundation
import Testing
import TestSupport

extension Built {
    static func seedSample() throws -> String { try Places.products.appending(path: "libSeedSample.so").path }
}

@Suite("The seed's sample")
struct SeedSampleTests {
    private let options = [
        "--permit", "1:com.MeasurementSample.refresh", "--permit", "2:com.MeasurementSample.process",
    ]

    @Test("runs its five operations in order, and submits itself again", arguments: ["refresh", "process"])
    func operations(_ name: String) throws {
        let id = "com.MeasurementSample.\(name)"
        let lines = try Worker.run(Built.seedSample(), options: options, ["run=\(id)", "end=\(id)"]).lines
        #expect(lines.filter { $0.hasPrefix("this") } == (1...5).map { "this operation id is \($0)" })
        #expect(lines.contains("completed \(id) success"))
        let terms = name == "refresh" ? "kind=1 flags=1 in=900" : "kind=2 flags=4 in=0"
        #expect(lines.contains { $0.hasPrefix("submitted \(id) \(terms)") })
    }

    @Test("schedules both tasks when it enters the background")
    func background() throws {
        let lines = try Worker.run(Built.seedSample(), options: options, ["state=3"]).lines
        #expect(lines.filter { $0.hasPrefix("submitted") }.count == 2)
    }
}
