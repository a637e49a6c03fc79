import Foundation
import Testing

@Suite("The demos", .plainBuild)
struct DemoTests {
    @Test("take an application through all its states in order, and draw the time line of a run between sleeps")
    func lifecycle() throws {
        let script = Places.root.appending(path: "Tools/demo-lifecycle.sh").path
        let demo = try Tool.execute("/usr/bin/env", ["bash", script, Places.products.path])
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        #expect(demo.output.contains("in 3 pieces, . stood still"), "\(demo.output)")
        #expect(demo.output.hasSuffix("== As it should be\n"), "\(demo.output)")
        #expect(demo.errors.isEmpty, "\(demo.errors)")
    }

    @Test("take downloads through the deaths of the application, the host and the link, and a forced restart")
    func transfers() throws {
        let script = Places.root.appending(path: "Tools/demo-transfers.sh").path
        let demo = try Tool.execute(
            "/usr/bin/env", ["LINK_SECONDS=1", "bash", script, Places.products.path])
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        #expect(demo.output.hasSuffix("== As it should be\n"), "\(demo.output)")
        #expect(demo.errors.isEmpty, "\(demo.errors)")
    }
}
