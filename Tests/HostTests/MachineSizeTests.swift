import TaskModel
import Testing

@testable import Setting

@Suite("The defaults of a host follow its machine")
struct MachineSizeTests {
    private static func configuration(_ text: String, memory: UInt64, disk: UInt64) throws -> HostConfiguration {
        let machine = MachineSize(memory: .mebibytes(memory), disk: .mebibytes(disk))
        let (configuration, faults) = ConfigurationDecoder.decode(
            bytes: Array(text.utf8), path: "c.json", on: machine)
        #expect(faults.isEmpty)
        return try #require(configuration)
    }

    @Test(
        "by memory and disk, within bounds",
        arguments: [
            (24_000, 250_000, 64, 1024, 256), (1024, 8192, 64, 1024, 256), (512, 4096, 32, 512, 128),
            (240, 1024, 15, 128, 64), (32, 64, 4, 16, 64),
        ] as [(UInt64, UInt64, Int, UInt64, Int)])
    func sizes(_ memory: UInt64, _ disk: UInt64, _ runs: Int, _ record: UInt64, _ output: Int) throws {
        let found = try Self.configuration("{}", memory: memory, disk: disk)
        #expect(found.concurrency == runs)
        #expect(found.retentionSize == .mebibytes(record))
        #expect(found.outputLimit == output << 10)
    }

    @Test("unless the configuration has its own")
    func own() throws {
        let found = try Self.configuration(
            #"{"concurrency": 50, "output": "1MiB", "retention": {"size": "2GiB"}}"#, memory: 256, disk: 512)
        #expect(found.concurrency == 50 && found.outputLimit == 1 << 20 && found.retentionSize == .mebibytes(2048))
    }

    @Test("and a machine of no known size is a large one")
    func unknown() {
        #expect(MachineSize(memory: .mebibytes(1 << 20), disk: .mebibytes(1 << 20)).concurrency == 64)
        #expect(MachineSize(state: "/").concurrency >= 4)
    }
}
