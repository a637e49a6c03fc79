import Foundation
import TestSupport
import Testing

@Suite("The frozen plugin of ABI version 1")
struct FrozenPluginTests {
    @Test(
        "is the file that was built once, small and free of dependencies",
        arguments: [
            ("x86_64", "b8f5bdf508a96d587fea4637a7b63c3e560c733d33c41780896de16a51ffbd86"),
            ("aarch64", "312658697b9f5a743648f98dee51002776a70fca514b623dec484e3c9871ea97"),
        ])
    func isUnchanged(_ machine: String, _ expected: String) throws {
        let library = try #require(Places.frozenLibraries[machine]).path
        #expect(try Command.run("sha256sum", [library]).output.hasPrefix(expected))
        let size = try FileManager.default.attributesOfItem(atPath: library)[.size] as? Int
        #expect(try #require(size) < 20 * 1024)
    }

    @Test(
        "loads and runs to completion in a host of today",
        arguments: [["frozen"], ["--task", "org.taskhost.fixtures.frozen.registered"]])
    func runs(_ symbol: [String]) throws {
        let library = try #require(Places.frozenLibraries[TestMachine.name])
        let run = try Harness.run(library, symbol, state: Folder())
        #expect(run.outcome == "succeeded", "\(run.output)")
        #expect(run.lines(of: "log") == ["1 version 1 is whole"])
    }
}
