import Foundation
import Glibc
import TestSupport
import Testing

/// Capabilities that programs of root are granted by name.
@Suite("A program of root with capabilities", .enabled(if: Machine.isRoot, "an ordinary user's host has none to give"))
struct CapabilityTests {
    private static let task = "com.example.capable"
    private let folder: TestSupport.Folder
    private let path: String

    init() throws {
        folder = try TestSupport.Folder()
        path = folder.realPath
        try folder.write("open/closed", "x")
        try folder.write("shut/closed", "x")
        for name in ["open/closed", "shut/closed"] {
            try #require(
                chmod("\(path)/\(name)", 0o600) == 0 && chown("\(path)/\(name)", Machine.nobody, Machine.nobody) == 0)
        }
    }

    private func run(_ script: String, _ capabilities: [String], times: Int = 1) throws -> String {
        let station = try Station()
        try station.configure("rootApplications", [Self.task])
        try station.add(
            ManifestText(members: [
                "identifier": Self.task, "enforcement": "bestEffort", "user": "root",
                "permissions": ["write": ["\(path)/open"], "capabilities": capabilities],
                "tasks": [
                    Self.task: [
                        "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                        "budget": ["wallClock": "1m"],
                    ] as [String: Any]
                ],
            ]))
        var text = ""
        for _ in 0..<times {
            let run = try #require(try station.run(Self.task)[Self.task])
            text = try station.logs(run).text
        }
        station.expectNothingLeft()
        return text
    }

    private static let sets = "grep -E 'Cap(Prm|Eff|Bnd|Inh|Amb)' /proc/self/status | tr -d '\\t' | tr '\\n' ' '"

    @Test("has these and no others, and none without", arguments: [[], ["chown"], ["dac_override", "kill", "setuid"]])
    func sets(_ names: [String]) throws {
        let numbers = ["chown": 0, "dac_override": 1, "kill": 5, "setuid": 7]
        let mask = names.reduce(0) { $0 | 1 << (numbers[$1] ?? 63) }
        let text = String(format: "%016llx", mask)
        let none = String(format: "%016llx", 0)
        // The second run is not explained.
        for times in 1...2 {
            let found = try run(Self.sets, names, times: times)
            let bound = names.isEmpty ? nil : text
            for (set, expected) in [
                ("CapInh", none), ("CapPrm", text), ("CapEff", text), ("CapBnd", bound), ("CapAmb", none),
            ] {
                if let expected { #expect(found.contains("\(set):\(expected)"), "\(set) \(found)") }
            }
        }
    }

    @Test("does with each what its name says, within its grants")
    func uses() throws {
        let read = "cat \(path)/open/closed 2>/dev/null || echo no; cat \(path)/shut/closed 2>/dev/null || echo no"
        #expect(try run(read, []) == "no\nno\n")
        #expect(try run(read, ["dac_override"]) == "xno\n")
        #expect(try run(read, ["dac_read_search"]) == "xno\n")
        let give = "chown 0:0 \(path)/open/closed 2>/dev/null && echo given || echo no"
        #expect(try run(give, ["dac_override"]) == "no\n")
        #expect(try run(give, ["chown"]) == "given\n")
        let become = "setpriv --reuid 65534 --regid 65534 --clear-groups id -u 2>/dev/null || echo no"
        #expect(try run(become, ["setuid"]) == "no\n")
        #expect(try run(become, ["setuid", "setgid"]) == "65534\n")
        #expect(try run("chmod 4755 \(path)/open/closed 2>/dev/null || echo no", ["chown", "fowner"]) == "no\n")
        #expect(try run("unshare -m true 2>/dev/null || echo no", ["setuid", "kill"]) == "no\n")
    }

    @Test("signals other processes with kill alone")
    func kills() throws {
        let other = try Program("sleep", ["1000"])
        defer { try? other.signal(SIGKILL) }
        let script = "kill -0 \(other.pid) 2>/dev/null && echo yes || echo no"
        #expect(try run(script, ["chown"]) == "no\n")
        #expect(try run(script, ["kill"]) == "yes\n")
    }
}
