import Foundation
import TestSupport
import Testing

@Suite("A daemon under systemd")
struct SystemdTests {
    @Test("reports when it is ready, feeds the watchdog, takes its socket and leaves it, and reports that it stops")
    func supervised() throws {
        let station = try Station()
        try station.add(fixture: "fixtures.noop")
        let folder = try Folder()
        let script = Places.fixtures.appending(path: "Systemd/supervise.py").path
        let words = ["serve", "--state", station.state, "--manifests", station.manifestFolder.path]
        let command = try Command.run(
            "/usr/bin/python3", [script, folder.path, try Places.taskhost] + words)
        #expect(command.succeeded, "\(command)")
        let lines = command.output.components(separatedBy: "\n")
        #expect(lines.contains { $0.hasPrefix("READY=1 STATUS=1 tasks of 1 applications") }, "\(lines)")
        #expect(lines.contains("WATCHDOG=1") && lines.contains("HTTP/1.1 200 OK"), "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("STOPPING=1") } && lines.contains("ended 0 socket stays True"), "\(lines)")
        // Verbs find it, though its socket is not the state folder's.
        #expect(lines.contains(#"asked 0 {"requests":[]}"#) && lines.contains("link stays False"), "\(lines)")
    }
}
