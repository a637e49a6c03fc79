import Foundation
import Testing

@Suite("The demo of an application's life", .plainBuild)
struct DemoTests {
    @Test("goes through all its states in order, and draws the time line of a run between sleeps")
    func lifecycle() throws {
        let script = Places.root.appending(path: "Tools/demo-lifecycle.sh").path
        let demo = try Tool.execute("/usr/bin/env", ["bash", script, Places.products.path])
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        #expect(demo.output.contains("in 3 pieces, . stood still"), "\(demo.output)")
        #expect(demo.output.hasSuffix("== As it should be\n"), "\(demo.output)")
        #expect(demo.errors.isEmpty, "\(demo.errors)")
    }
}
