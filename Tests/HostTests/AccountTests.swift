import Foundation
import Glibc
import TestSupport
import Testing

/// Applications that run as a user of the machine: Debian's `games` and `backup`, who own hardly anything.
@Suite("An application with a user of the machine", .enabled(if: Machine.isRoot, "only root can become another user"))
struct AccountTests {
    private static let application = "com.example.account"
    private static let task = "com.example.account.task"

    private func manifest(_ script: String, user: String?, group: String? = nil, attributes: Bool = false)
        -> ManifestText
    {
        var members: [String: Any] = [
            "identifier": Self.application,
            "tasks": [
                Self.task: [
                    "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                    "retry": ["attempts": 1, "backoff": "1m"],
                ] as [String: Any]
            ],
            "permissions": [
                "execute": ["/usr/bin/id", "/usr/bin/chmod", "/usr/bin/cat", "/usr/bin/stat"],
                "attributes": attributes,
            ] as [String: Any],
        ]
        if let user { members["user"] = user }
        if let group { members["group"] = group }
        return ManifestText(members: members)
    }

    /// The output of one successful run.
    private func output(_ station: Station, _ manifest: ManifestText) throws -> String {
        try station.add(manifest)
        let report = try station.run(Self.task)
        let run = try #require(report[Self.task], "\(report.command)")
        #expect(run.outcome == "succeeded", "\(run)")
        return try station.logs(run).text
    }

    @Test("runs as this user, in its groups, without capabilities")
    func becomes() throws {
        let station = try Station()
        let script = """
            echo "$(id -un):$(id -gn) $USER $LOGNAME"
            while read -r key value; do case $key in CapEff:|CapPrm:|CapBnd:|NoNewPrivs:) echo "$key$value";; esac; done \
            </proc/self/status
            """
        let text = try output(station, manifest(script, user: "games"))
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "games:games games games", "\(text)")
        #expect(lines.contains("NoNewPrivs:1"))
        for set in ["CapEff:", "CapPrm:", "CapBnd:"] {
            #expect(lines.contains(set + String(repeating: "0", count: 16)))
        }
        #expect(try output(station, manifest("id -gn", user: "games", group: "audio")) == "audio\n")
        let run = try station.show(try #require(try station.history().first))
        #expect(run.confinement?.hasPrefix("user games, ") == true, "\(run)")
        let list = try station.start(["list", "--json", "--manifests", station.manifestFolder.path]).finish()
        #expect(list.output.contains(#""user":"games""#) || list.output.contains(#""user": "games""#))
        station.expectNothingLeft()
    }

    @Test("has its folders handed over when its user changes, and back")
    func handsOver() throws {
        let station = try Station()
        let write = "echo kept >$TASKHOST_STATE/file"
        let read = "read line <$TASKHOST_STATE/file; echo $line; stat -c %U $TASKHOST_STATE/file"
        _ = try output(station, manifest(write, user: nil))
        #expect(try output(station, manifest(read, user: "games")) == "kept\ngames\n")
        #expect(try output(station, manifest(read, user: "backup")) == "kept\nbackup\n")
        #expect(try output(station, manifest(read, user: nil)).hasPrefix("kept\ntaskhost-"))
    }

    @Test("cannot reach the other files and processes of this user")
    func confines() throws {
        let station = try Station()
        let secret = station.folder.file("secret").path
        try station.folder.write("secret", "secret\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600, .ownerAccountName: "games"], ofItemAtPath: secret)
        let words = ["--reuid", "games", "--clear-groups", "sh", "-c", "echo ready; exec sleep 1000"]
        let other = try Program("setpriv", words)
        try other.wait(forText: "ready")
        // Both streams are its log: what the shell says of the refusals would stand between the words.
        let script = """
            exec 2>/dev/null
            read line <\(secret) || echo unread
            kill -9 \(other.pid) || echo unharmed
            echo >$TASKHOST_STATE/own
            chmod 600 $TASKHOST_STATE/own || echo unchanged
            """
        let text = try output(station, manifest(script, user: "games"))
        for word in ["unread", "unharmed", "unchanged"] {
            #expect(text.split(separator: "\n").contains { $0 == word }, "\(text)")
        }
        let granted = try output(
            station,
            manifest(
                "echo >$TASKHOST_STATE/own; chmod 640 $TASKHOST_STATE/own && echo changed", user: "games",
                attributes: true))
        #expect(granted == "changed\n")
        #expect(kill(other.pid, 0) == 0)
        try other.signal(SIGTERM)
        #expect(try other.finish().status != 0)
    }

    @Test(
        "is refused with the reason",
        arguments: [
            ("nobody-like-that", nil, "which this machine does not have"),
            ("games", "no-such-group", "which this machine does not have"),
            ("root", nil, "\"rootApplications\""), ("games", "root", "\"rootApplications\""),
        ] as [(String, String?, String)])
    func refuses(_ user: String, _ group: String?, _ words: String) throws {
        let station = try Station()
        try station.add(manifest("true", user: user, group: group))
        let command = try station.run(Self.task).command
        #expect(command.status == 65)
        #expect(command.errors.contains(words), "\(command)")
    }

    @Test(
        "is refused as the transfer process's user, the one after those of applications", arguments: [65_000, 65_534])
    func transferUser(_ first: Int) throws {
        let station = try Station()
        try station.configure("users", ["first": first, "count": 534])
        try station.add(manifest("true", user: "nobody"))
        let command = try station.run(Self.task).command
        #expect(command.status == 65)
        #expect(command.errors.contains("whose number 65534 is one that the host gives"), "\(command)")
    }

    @Test("may be root where the configuration names it, and has no rights beyond the files of root")
    func root() throws {
        let station = try Station()
        try station.configure("rootApplications", [Self.application])
        let script = "id -u; read line </etc/shadow || echo unread; kill -0 1 || echo apart"
        let lines = try output(station, manifest(script, user: "root")).split(separator: "\n")
        #expect(lines.contains("0") && lines.contains("unread") && lines.contains("apart"), "\(lines)")
    }

    @Test("is refused by a host of another user")
    func ordinary() throws {
        let station = try Station(user: Machine.nobody)
        try station.add(manifest("true", user: "games"))
        let report = try station.run(Self.task).command
        #expect(report.status == 65)
        #expect(report.errors.contains("only root can become one"), "\(report)")
    }
}
