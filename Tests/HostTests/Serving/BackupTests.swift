import Control
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("taskhost backup")
struct BackupTests {
    private func station() throws -> Station {
        let station = try Station()
        var manifest = try ManifestText(stage: "org.taskhost.backup", ["pass": "stage_pass"])
        manifest.setTask("org.taskhost.backup.pass", "requires", ["idle": false])
        try station.add(manifest)
        return station
    }

    private struct Answer: Decodable {
        var file: String
        var bytes: Int
    }

    private func runs(in file: URL) throws -> [String] {
        try SQLite(file).column("SELECT hex(ulid) FROM runs ORDER BY seq")
    }

    /// A record that takes many turns to copy.
    private func grow(_ station: Station) throws {
        try SQLite(station.folder.file("state/taskhost.db")).execute(
            """
            INSERT INTO tasks (id, identifier, application) VALUES (900, 'org.taskhost.old', 'org.taskhost.old');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO runs (seq, ulid, task, attempt, submitted, ended, outcome)
            SELECT i, zeroblob(16), 900, 1, strftime('%s', 'now') * 1000000000, strftime('%s', 'now') * 1000000000, 1 FROM n;
            INSERT INTO output (seq, part, bytes) SELECT seq, 1, randomblob(100000) FROM runs;
            """)
    }

    @Test("copies the record of a host that keeps running, and of none")
    func copies() throws {
        let station = try station()
        #expect(try Daemon(station).stop().status == 0)
        try grow(station)
        let daemon = try Daemon(station)
        let file = station.folder.file("copy.db")
        let backup = try station.start(["backup", file.path, "--json"])
        for _ in 0..<5 {
            #expect(try station.start(["run", "org.taskhost.backup.pass"], manifests: false).finish().succeeded)
        }
        let answer = try JSONDecoder().decode(
            Answer.self, from: Data(try backup.finish().output.utf8))
        #expect(answer.file == file.path && answer.bytes > 20_000_000)
        #expect(try SQLite(file).column("PRAGMA integrity_check") == ["ok"])
        #expect(try runs(in: file).count >= 200)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let names = try station.folder.names().filter { $0.hasPrefix("copy.db") }
        #expect(names == ["copy.db"], "one file, and nothing beside it")
        let kept = try FileManager.default.contentsOfDirectory(atPath: station.state)
        #expect(!kept.contains { $0.hasPrefix("backup") }, "\(kept)")
        #expect(try daemon.stop().status == 0)

        let again = station.folder.file("again.db")
        #expect(try station.start(["backup", again.path]).finish().succeeded)
        #expect(try runs(in: again) == runs(in: station.folder.file("state/taskhost.db")))
        // A copy in the place of the record is one.
        let other = try Station()
        try FileManager.default.createDirectory(atPath: other.state, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: again, to: other.folder.file("state/taskhost.db"))
        #expect(try other.history().count == 205)
    }

    @Test("replaces nothing unless it is asked to, and leaves nothing where it fails")
    func refuses() throws {
        let station = try station()
        let daemon = try Daemon(station)
        let file = try station.folder.write("mine", "mine")
        let refused = try station.start(["backup", file.path]).finish()
        #expect(refused.status == 73 && refused.errors.contains("--force"), "\(refused)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        let lost = try station.start(["backup", station.folder.file("none/copy").path]).finish()
        #expect(lost.status == 73, "\(lost)")
        #expect(try station.start(["backup", file.path, "--force"]).finish().succeeded)
        #expect(try runs(in: file).isEmpty)
        #expect(try station.folder.names().filter { $0.hasPrefix("mine") } == ["mine"])
        #expect(try daemon.stop().status == 0)
    }

    @Test("is not for those who may only look", .enabled(if: Machine.isRoot, "only root can become another user"))
    func readers() throws {
        let station = try station()
        try station.configure("readers", [Machine.nobody])
        let daemon = try Daemon(station)
        let user = "\(Machine.nobody)"
        let refused = try Command.run(
            "setpriv",
            [
                "--reuid", user, "--regid", user, "--clear-groups", "curl", "-s", "-w", "%{http_code}", "--unix-socket",
                station.state + "/control.sock", "-X", "POST", "http://localhost/v1/backup",
            ])
        #expect(refused.output.hasSuffix("403"), "\(refused)")
        #expect(try daemon.stop().status == 0)
    }
}
