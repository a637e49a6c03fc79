import Foundation
import Testing

/// systemd's timers: each becomes tasks or is named, and so is each setting that no manifest has.
@Suite("taskhost import timers")
struct TimerImportTests {
    private func importing(_ units: [String: String], _ names: [String], dryRun: Bool = false) throws -> (Tool, Folder)
    {
        let folder = try Folder()
        for (name, text) in units { try folder.write("units/" + name, text) }
        let words = ["import", "timers", "--directory", "manifests"] + names.map { "units/\($0).timer" }
        return (try Tool.run(words + (dryRun ? ["--dry-run"] : ["--json"]), in: folder, environment: [:]), folder)
    }

    private static let service = "[Service]\nType=oneshot\nDynamicUser=yes\nExecStart=/usr/bin/true\n"

    /// An expression and its five fields, or words of the reason that it has none.
    typealias Time = ImportTests.Line

    static let times = [
        Time("daily", "0 0 * * *"), Time("weekly", "0 0 * * 1"), Time("quarterly", "0 0 1 1,4,7,10 *"),
        Time("minutely", "* * * * *"), Time("Hourly", "0 * * * *"), Time("*-*-* 6,18:00", "0 6,18 * * *"),
        Time("Sun *-*-* 03:10:00", "10 3 * * 0"), Time("Mon..Fri 22:30", "30 22 * * 1,2,3,4,5"),
        Time("Sat-Mon 4:05", "5 4 * * 0,1,6"), Time("*:0/15", "0-59/15 * * * *"),
        Time("*-*-1,15 12:00", "0 12 1,15 * *"),
        Time("03-05 08:05:40", "seconds", refused: true), Time("Mon *-05~3", "end of the month", refused: true),
        Time("2026-*-* 00:00", "certain years", refused: true),
        Time("Mon *-*-1..7 5:00", "also these days", refused: true),
        Time("*-*-* 8..17/2:30", "30 8-17/2 * * *"), Time("*-02-29", "0 0 29 2 *"),
        Time("25:00", "from 0 to 23", refused: true),
        Time("noon", "not a day of the week", refused: true), Time("*-02-30", "some year has", refused: true),
    ]

    @Test("has the same times in five fields, or names the one that they cannot say", arguments: times)
    func time(_ time: Time) throws {
        let units = ["a.timer": "[Timer]\nOnCalendar=\(time.text)\n", "a.service": Self.service]
        let (tool, folder) = try importing(units, ["a"])
        let document = try tool.document
        let tasks = try #require(document["tasks"] as? [[String: Any]])
        guard !time.isRefused else {
            let reasons = (document["refused"] as? [[String: Any]])?.compactMap { $0["reason"] as? String } ?? []
            #expect(tool.status == 65 && tasks.isEmpty && reasons.first?.contains(time.result) == true, "\(tool)")
            return
        }
        #expect(tool.status == 0 && tasks.first?["calendar"] as? String == time.result, "\(tool)")
        #expect(try Tool.run("validate", "manifests", in: folder).status == 0)
    }

    /// The first task of the only manifest.
    private func task(_ units: [String: String]) throws -> (task: [String: Any], tool: Tool, folder: Folder) {
        let (tool, folder) = try importing(units, ["job"])
        let path = try #require(((try tool.document)["manifests"] as? [String])?.first, "\(tool)")
        let text = try Data(contentsOf: folder.url.appending(path: path))
        let manifest = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let tasks = try #require(manifest["tasks"] as? [String: [String: Any]])
        let validate = try Tool.run("validate", "manifests", in: folder)
        #expect(validate.status == 0, "\(validate)")
        return (try #require(tasks.values.first), tool, folder)
    }

    @Test("carries times, limits, conditions and drop-ins over, and names the rest")
    func settings() throws {
        let (task, tool, _) = try task([
            "job.timer": """
            [Unit]
            ConditionACPower=true
            [Timer]
            OnCalendar=*-*-* 03:00 Europe/Berlin
            RandomizedDelaySec=1h 30min
            Persistent=true
            WakeSystem=yes
            """,
            "job.service":
                "[Unit]\nAfter=network-online.target\n[Service]\nType=oneshot\nDynamicUser=yes\nExecStart=/bin/false\n",
            "job.service.d/more.conf":
                "[Service]\nExecStart=\nExecStart=/usr/bin/printf %%s\\n \"a b\"\nTimeoutStartSec=90\nMemoryMax=64M\nProtectHome=yes\n",
        ])
        let schedule = try #require(task["schedule"] as? [String: Any])
        #expect(schedule["calendar"] as? String == "0 3 * * *" && schedule["timeZone"] as? String == "Europe/Berlin")
        #expect(schedule["jitter"] as? String == "5400s" && schedule["catchUp"] as? String == "latest")
        #expect((task["handler"] as? [String: Any])?["command"] as? [String] == ["/usr/bin/printf", "%s\n", "a b"])
        #expect(
            (task["budget"] as? [String: String]) == [
                "wallClock": "90s", "cpuTime": "none", "memory": "64MiB", "disk": "none",
            ])
        let requires = try #require(task["requires"] as? [String: Bool])
        #expect(requires == ["idle": false, "externalPower": true, "anyPower": true, "network": true])
        for word in ["WakeSystem", "RandomizedDelaySec", "left out of its service: ProtectHome"] {
            #expect(tool.errors.contains(word), "\(word): \(tool.errors)")
        }
    }

    @Test("reads units with CR LF, tests conditions as systemd does, and limits what a setting limits")
    func conditions() throws {
        let service = """
            [Unit]
            ConditionPathExists=/nonexistent
            ConditionPathExists=
            ConditionDirectoryNotEmpty=/etc
            ConditionPathExistsGlob=/etc/pass*d
            ConditionFileNotEmpty=!/dev/null
            ConditionPathExists=|/nonexistent
            ConditionPathIsDirectory=|/etc
            ConditionHost=*
            ConditionSecurity=selinux
            AssertPathExists=/etc/passwd
            [Service]
            Type=simple
            DynamicUser=yes
            TimeoutStartSec=5
            RuntimeMaxSec=1h
            ExecStart=/bin/echo ran
            """
        func run(_ service: String) throws -> (process: Tool, task: [String: Any], tool: Tool) {
            let (task, tool, folder) = try self.task([
                "job.timer": "[Timer]\r\nOnCalendar=daily\r\n",
                "job.service": service.replacing("\n", with: "\r\n"),
            ])
            let command = try #require((task["handler"] as? [String: Any])?["command"] as? [String])
            return (try Tool.execute(command[0], Array(command.dropFirst()), in: folder), task, tool)
        }
        let (process, task, tool) = try run(service)
        #expect(process.status == 0 && process.output == "ran\n", "\(process)")
        #expect((task["budget"] as? [String: String])?["wallClock"] == "3600s")
        #expect(tool.errors.contains("left out of its service: ConditionSecurity\n"), "\(tool.errors)")
        for (key, status) in [("ConditionPathExists=!", 0), ("AssertPathExists=!", 1), ("ConditionHost=not-", 0)] {
            let (process, _, _) = try run(service.replacing("[Service]", with: "\(key)/etc\n[Service]"))
            #expect(process.status == status && process.output.isEmpty, "\(key): \(process)")
        }
    }

    @Test("runs the commands as systemd would: order, prefixes, environment, folder, conditions, quotes")
    func commands() throws {
        let (task, tool, folder) = try task([
            "job.timer": "[Timer]\nOnUnitActiveSec=10min\nOnBootSec=1min\n",
            "job.service": #"""
            [Unit]
            ConditionPathExists=/
            [Service]
            Type=oneshot
            DynamicUser=yes
            Environment="GREETING=it's  me" LIST="a b" 'PRICE=$5'
            Environment=FOLDER=/tmp
            EnvironmentFile=-/nonexistent
            WorkingDirectory=/
            ExecStartPre=-/bin/false
            ExecStartPre=+/bin/sh -c 'echo pre $$PRICE'
            # a comment
            ExecStart=/usr/bin/printf '[%%s]' ${GREETING} x${LIST} \
                $LIST "*" ; /bin/pwd
            ExecStart=/bin/echo %N %i
            ExecStartPost=/bin/echo post
            """#,
        ])
        let handler = try #require(task["handler"] as? [String: Any])
        let command = try #require(handler["command"] as? [String])
        let environment = try #require(handler["environment"] as? [String: String])
        #expect(environment == ["GREETING": "it's  me", "LIST": "a b", "PRICE": "$5", "FOLDER": "/tmp"])
        #expect(handler["environmentFiles"] as? [String] == ["-/nonexistent"])
        let process = try Tool.execute(command[0], Array(command.dropFirst()), in: folder, environment: environment)
        #expect(process.status == 0, "\(process)")
        #expect(process.output == "pre $5\n[it's  me][xa b][a][b][*]/\njob \npost\n", "\(process)\n\(command)")
        #expect((task["schedule"] as? [String: Any])?["every"] as? String == "600s")
        #expect(tool.errors.contains("OnBootSec is left out") && tool.errors.contains("more rights"), "\(tool.errors)")
    }

    @Test("names the timers that cannot be carried over, each with its reason, and keeps the others")
    func refusals() throws {
        let calendar = "[Timer]\nOnCalendar=daily\n"
        let (tool, _) = try importing(
            [
                "good.timer": calendar, "good.service": Self.service,
                "boot.timer": "[Timer]\nOnBootSec=5min\n", "boot.service": Self.service,
                "none.timer": "[Timer]\n", "none.service": Self.service, "lonely.timer": calendar,
                "path.timer": "[Timer]\nOnCalendar=daily\nUnit=x.target\n",
                "forks.timer": calendar,
                "forks.service": "[Service]\nType=forking\nDynamicUser=yes\nExecStart=/bin/true\n",
                "odd.timer": calendar, "odd.service": "[Service]\nDynamicUser=yes\nExecStart=/bin/echo %q\n",
                "open.timer": calendar, "open.service": "[Service]\nDynamicUser=yes\nExecStart=/bin/echo \"a\n",
                "empty.timer": calendar, "empty.service": "[Service]\nDynamicUser=yes\n",
                "each@.timer": calendar, "each@.service": Self.service,
            ],
            ["good", "boot", "none", "lonely", "path", "forks", "odd", "open", "empty", "gone", "each@"])
        #expect(tool.status == 65)
        let document = try tool.document
        #expect((document["tasks"] as? [Any])?.count == 1)
        let refused = try #require(document["refused"] as? [[String: String]])
        let words = [
            "boot": "alone is no time", "none": "it has no time", "lonely": "service is missing", "path": "no service",
            "forks": "Type=forking", "odd": "%q", "open": "quote is not closed", "empty": "no ExecStart",
            "gone": "no such unit", "each@": "name an instance, as each@NAME.timer",
        ]
        for (name, word) in words {
            let reason = refused.first { $0["unit"] == name + ".timer" }?["reason"]
            #expect(reason?.contains(word) == true, "\(name): \(reason ?? "not named")")
        }
        #expect(refused.count == words.count)
    }

    @Test("keeps timers apart whose names become alike, and takes one that is named twice once")
    func alike() throws {
        let calendar = "[Timer]\nOnCalendar=daily\nOnCalendar=weekly\n"
        let (tool, folder) = try importing(
            [
                "a-b.timer": calendar, "a-b.service": Self.service, "a_b.timer": calendar, "a_b.service": Self.service,
                "a.b.timer": calendar, "a.b.service": Self.service,
            ],
            ["a-b", "a_b", "a.b", "a-b"])
        let tasks = try #require(try tool.document["tasks"] as? [[String: String]], "\(tool)")
        #expect(
            tasks.compactMap { $0["unit"] } == [
                "a-b.timer", "a-b.timer", "a_b.timer", "a_b.timer", "a.b.timer", "a.b.timer",
            ])
        let base = try #require(tasks[0]["identifier"])
        #expect(tasks.map { $0["identifier"] } == ["", "-2", "-3", "-4", "-5", "-6"].map { base + $0 })
        let validate = try Tool.run("validate", "--json", "manifests", in: folder)
        #expect(validate.status == 0, "\(validate)")
    }

    @Test(
        "keeps users apart whose names become alike, and one who is called dynamic from DynamicUser",
        .enabled(if: geteuid() == 0))
    func alikeUsers() throws {
        let folder = try Folder()
        let users: [(unit: String, setting: String, user: String?)] = [
            ("a", "User=a-b", "a-b"), ("b", "User=a_b", "a_b"), ("c", "DynamicUser=yes", nil),
            ("d", "User=dynamic", "dynamic"), ("e", "User=a_b", "a_b"), ("f", "DynamicUser=yes", nil),
        ]
        var passwd = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        for (number, name) in ["a-b", "a_b", "dynamic"].enumerated() {
            passwd += "\(name):x:\(64_000 + number):64000::/nonexistent:/bin/sh\n"
        }
        try folder.write("passwd", passwd)
        for user in users {
            try folder.write("units/\(user.unit).timer", "[Timer]\nOnCalendar=daily\n")
            try folder.write("units/\(user.unit).service", "[Service]\n\(user.setting)\nExecStart=/usr/bin/true\n")
        }
        let units = users.map { folder.file("units/\($0.unit).timer").path }
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/unshare")
        program.arguments = [
            "-m", "sh", "-c", "mount --bind \"$0\" /etc/passwd && exec \"$@\"", folder.file("passwd").path,
            try Places.taskhost.path, "import", "timers", "--directory", folder.file("manifests").path,
        ]
        program.arguments? += units
        try program.run()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        let paths = try FileManager.default.contentsOfDirectory(atPath: folder.file("manifests").path)
        #expect(paths.count == 4, "\(paths)")
        var owners: [String: String?] = [:]
        for path in paths {
            let text = try Data(contentsOf: folder.file("manifests/\(path)"))
            let manifest = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
            for task in try #require(manifest["tasks"] as? [String: Any]).keys {
                owners[String(task.suffix(1))] = .some(manifest["user"] as? String)
            }
        }
        for user in users { #expect(owners[user.unit] == .some(user.user), "\(user) \(owners)") }
    }

    @Test(
        "knows the sizes of memory",
        arguments: [
            ("512M", "512MiB"), ("1.5G", "1536MiB"), ("2T", "1024GiB"), ("4096", "1MiB"), ("infinity", "none"),
            ("50%", "none"), ("x", "none"), ("7E", "1024GiB"),
        ])
    func memory(_ size: String, _ limit: String) throws {
        let (task, tool, _) = try task([
            "job.timer": "[Timer]\nOnCalendar=daily\n", "job.service": Self.service + "MemoryMax=\(size)\n",
        ])
        #expect((task["budget"] as? [String: String])?["memory"] == limit)
        #expect(tool.errors.contains("MemoryMax") == ["50%", "x"].contains(size), "\(tool.errors)")
    }

    @Test("runs under the host and says what it printed")
    func runs() throws {
        let units = [
            "job.timer": "[Timer]\nOnCalendar=daily\n",
            "job.service": "[Service]\nType=oneshot\nDynamicUser=yes\nEnvironment=A=b\nExecStart=/bin/echo said ${A}\n",
        ]
        let (tool, folder) = try importing(units, ["job"])
        let task = try #require(((try tool.document)["tasks"] as? [[String: Any]])?.first?["identifier"] as? String)
        let run = try Tool.run("run", task, "--manifests", "manifests", "--state", "state", in: folder)
        #expect(run.status == 0 && run.errors == "said b\n", "\(run)")
    }
}
