import Foundation
import TestSupport
import Testing

@Suite("The frozen plugin of ABI version 1")
struct FrozenPluginTests {
    @Test("is the file that was built once, small and free of dependencies")
    func isUnchanged() throws {
        let sum = try Command.run("sha256sum", [Places.frozenLibrary.path])
        #expect(sum.output.hasPrefix("b8f5bdf508a96d587fea4637a7b63c3e560c733d33c41780896de16a51ffbd86"))
        let size = try FileManager.default.attributesOfItem(atPath: Places.frozenLibrary.path)[.size] as? Int
        #expect(try #require(size) < 20 * 1024)
    }

    #if arch(x86_64)
    @Test(
        "loads and runs to completion in a host of today",
        arguments: [["frozen"], ["--task", "org.taskhost.fixtures.frozen.registered"]])
    func runs(_ symbol: [String]) throws {
        let run = try Harness.run(Places.frozenLibrary, symbol, state: Folder())
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(run.lines(of: "log") == ["1 version 1 is whole"])
    }
    #endif
}
