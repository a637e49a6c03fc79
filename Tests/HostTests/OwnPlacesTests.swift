import Foundation
import TestSupport
import Testing

/// A root host's programs have shared memory and a name for themselves.
@Suite("A confined program's own places", .enabled(if: Machine.isRoot, "an ordinary user's host has none to give"))
struct OwnPlacesTests {
    private static let task = "com.example.places"

    private static func manifest(
        _ script: String, user: String?, sockets: [String] = [], memory: String = "256MiB"
    ) -> ManifestText {
        var members: [String: Any] = [
            "identifier": task, "enforcement": "bestEffort", "permissions": ["sockets": sockets],
            "tasks": [
                task: [
                    "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                    "budget": ["wallClock": "1m", "memory": memory],
                ] as [String: Any]
            ],
        ]
        if let user { members["user"] = user }
        return ManifestText(members: members)
    }

    /// With and without a broker: a run of little memory is not explained.
    static let forms: [(user: String?, memory: String)] = [
        (nil, "256MiB"), (nil, "48MiB"), ("nobody", "256MiB"), ("nobody", "48MiB"),
    ]

    @Test("are empty, its user's alone, as large as its memory, and gone with the run", arguments: forms)
    func memory(_ form: (user: String?, memory: String)) throws {
        let script = """
            ls -A /dev/shm; echo x > /dev/shm/mine; cat /dev/shm/mine
            stat -c %a /dev/shm; df -B1M --output=size /dev/shm | tail -1
            mount -t tmpfs x /dev/shm 2>/dev/null || umount /dev/shm 2>/dev/null || unshare -m true 2>/dev/null || echo held
            """
        let station = try Station()
        try station.add(Self.manifest(script, user: form.user, memory: form.memory))
        for _ in 0..<2 {
            let run = try #require(try station.run(Self.task)[Self.task])
            let lines = try station.logs(run).text.split(whereSeparator: \.isWhitespace).map(String.init)
            #expect(lines == ["x", "700", String(form.memory.dropLast(3)), "held"], "\(run) \(lines)")
        }
        #expect(!FileManager.default.fileExists(atPath: "/dev/shm/mine"))
        #expect(try !String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).contains("mode=700,uid="))
    }

    @Test("serve Python's pools of processes", arguments: forms.prefix(1) + forms.suffix(2).prefix(1))
    func pool(_ form: (user: String?, memory: String)) throws {
        let script = """
            python3 -c 'from concurrent.futures import ProcessPoolExecutor as P
            with P(2) as p: print(list(p.map(abs, [-1, -2])))'
            """
        let station = try Station()
        try station.add(Self.manifest(script, user: form.user))
        for _ in 0..<2 {
            let run = try #require(try station.run(Self.task)[Self.task])
            #expect(try station.logs(run).text == "[1, 2]\n", "\(run)")
        }
    }

    @Test("name a user that the host made, and leave the machine's files as they are")
    func name() throws {
        let before = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let script =
            "whoami; id -gn; tail -1 /etc/passwd; (echo x >> /etc/passwd) 2>/dev/null || echo held; ls -A /dev/shm"
        let station = try Station()
        try station.add(Self.manifest(script, user: nil))
        let run = try #require(try station.run(Self.task)[Self.task])
        let lines = try station.logs(run).text.split(separator: "\n").map(String.init)
        let name = try #require(lines.first)
        let number = name.dropFirst("taskhost-".count)
        let line = "\(name):x:\(number):\(number)::\(station.state)/applications/\(Self.task)/state:/bin/sh"
        #expect(UInt32(number) != nil && lines == [name, name, line, "held"], "\(run) \(lines)")
        #expect(try String(contentsOfFile: "/etc/passwd", encoding: .utf8) == before)
    }
}
