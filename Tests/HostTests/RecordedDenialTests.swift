import Conditions
import Foundation
import Linux
import TestSupport
import Testing

/// Auditing belongs to the whole machine: it is switched on for these tests, and then as it was.
@Suite(
    "What the kernel's audit log says of a run",
    .enabled(if: Machine.isRoot && Landlock.version >= 7 && AuditSocket.isOn != nil, "this kernel keeps no such log"),
    .serialized)
final class RecordedDenialTests {
    private let wasOn: Bool

    init() throws {
        wasOn = AuditSocket.isOn == true
        try Self.audit(true)
    }

    deinit { try? Self.audit(wasOn) }

    private static func audit(_ isOn: Bool) throws {
        // struct audit_status: AUDIT_STATUS_ENABLED, and its value; NLM_F_REQUEST | NLM_F_ACK
        let code = """
            import socket, struct
            s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9); s.bind((0, 0)); s.settimeout(60)
            body = struct.pack("=11I", 1, \(isOn ? 1 : 0), *[0] * 9)
            s.send(struct.pack("=IHHII", 16 + len(body), 1001, 5, 1, 0) + body)
            raise SystemExit(-struct.unpack("=i", s.recv(4096)[16:20])[0])
            """
        let command = try Command.run("python3", ["-c", code])
        guard command.succeeded else { throw Problem("auditing cannot be switched: \(command)") }
    }

    /// - Parameter isAwaited: the run is told something, if later than its end: a thread of the kernel fills the log.
    private func diagnostics(_ script: String, memory: String, isAwaited: Bool) throws -> [String] {
        let station = try Station()
        try station.folder.write("secret", "x")
        let secret = station.folder.file("secret").path
        let task = try station.add(
            ManifestText(members: [
                "identifier": "com.example.recorded",
                "tasks": [
                    "com.example.recorded.task": [
                        "kind": "processing", "budget": ["memory": memory],
                        "handler": ["command": ["/bin/sh", "-c", script.replacing("SECRET", with: secret)]],
                    ] as [String: Any]
                ],
            ])
        ).tasks[0]
        let daemon = try Daemon(station)
        let report = try station.finish(try station.start(["run", "--json", task], manifests: false))
        var run = try #require(report[task])
        if isAwaited {
            try Patience.wait(for: "what the run was refused") {
                run = try station.show(run)
                return !run.diagnostics.isEmpty
            }
        }
        #expect(try daemon.stop().status == 0)
        return run.diagnostics.map { $0.replacing(secret, with: "SECRET") }
    }

    @Test("names what it was refused, programs that it executes included, and each once")
    func recorded() throws {
        // Too little memory for a broker, which would hear of it itself.
        let told = try diagnostics(
            "cat SECRET 2>/dev/null; (: < SECRET) 2>/dev/null; exit 3", memory: "32MiB", isAwaited: true)
        #expect(told == ["denied: read SECRET; permissions.read (recorded by the kernel)"], "\(told)")
    }

    @Test("says nothing of a run that succeeds quietly")
    func quiet() throws {
        #expect(try diagnostics("cat SECRET 2>/dev/null; exit 0", memory: "32MiB", isAwaited: false).isEmpty)
    }

    @Test("is not needed where a broker listens")
    func derived() throws {
        let told = try diagnostics("cat SECRET 2>/dev/null; exit 3", memory: "256MiB", isAwaited: true)
        #expect(told == ["denied: read SECRET; permissions.read (derived from its calls)"], "\(told)")
    }
}
