import Control
import Foundation
import Linux
import Serving
import Setting
import TaskModel
import TestSupport
import Testing
import Workers

@Suite("What taskhost doctor says of a machine")
struct MachineExaminationTests {
    /// A machine that has everything.
    private static func machine() -> MachineFacts {
        var facts = MachineFacts()
        (facts.state, facts.sleeps, facts.runs) = ("/var/lib/taskhost", "freeze mem", 200)
        return facts
    }

    struct Lack: CustomTestStringConvertible {
        var check: MachineCheck.Name
        var status: MachineCheck.Status
        var words: String
        var change: @Sendable (inout MachineFacts) -> Void
        var testDescription: String { "\(check) \(words)" }
        init(
            _ check: MachineCheck.Name, _ status: MachineCheck.Status, _ words: String,
            _ change: @escaping @Sendable (inout MachineFacts) -> Void
        ) {
            (self.check, self.status, self.words, self.change) = (check, status, words, change)
        }
    }

    static let lacks = [
        Lack(.host, .note, "no host serves") { $0.isServed = false },
        Lack(.kernel, .note, "Linux 5.10.0-30") { $0.kernel = "5.10.0-30" },
        Lack(.kernel, .note, "cannot be read") { $0.kernel = nil },
        Lack(.landlock, .fault, "lsm=") { $0.landlock = 0 },
        Lack(.landlock, .fault, "CONFIG_SECURITY_LANDLOCK") { ($0.landlock, $0.landlockIsBuilt) = (0, false) },
        Lack(.landlock, .note, "network.port") { ($0.landlock, $0.holdsConnections) = (3, false) },
        Lack(.landlock, .note, "signal") { ($0.landlock, $0.isRoot) = (5, false) },
        Lack(.controlGroups, .note, "no cgroup") { ($0.tier, $0.shortfall) = (.none, "no cgroup") },
        Lack(.controlGroups, .note, "as the configuration says") { $0.tier = .none },
        Lack(.delegation, .note, "Delegate=yes") {
            ($0.limitsTrees, $0.missing) = (false, .init(what: "shared", remedy: "Delegate=yes"))
        },
        Lack(.pressure, .note, "(PSI)") { $0.pressureFault = "the kernel does not account for pressure (PSI)" },
        Lack(.linger, .note, "enable-linger anna") { ($0.isRoot, $0.lingers, $0.user) = (false, false, "anna") },
        Lack(.clock, .note, "nothing synchronizes") { $0.clock = .unset },
        Lack(.clock, .note, "not permitted") { $0.clock = .unknown("not permitted") },
        Lack(.disk, .fault, "nothing starts") { $0.space = (.mebibytes(127), .mebibytes(10_240)) },
        Lack(.disk, .note, "work stops below 128 MiB") {
            $0.space = (.mebibytes(300), .mebibytes(10_240))
        },
        Lack(.sharedMemory, .note, "process pools; whoami finds no name") { $0.hasOwnMounts = false },
        Lack(.ping, .note, "send ICMP echo requests: a.c") { $0.silenced = ["a.c"] },
        Lack(.memory, .note, "256 MiB of memory, 15 runs at once") {
            ($0.memory, $0.concurrency) = (.mebibytes(256), 15)
        },
        Lack(.sharedMemory, .note, "use a root host, or grant") { ($0.hasOwnMounts, $0.isRoot) = (false, false) },
        Lack(.disk, .fault, "does not say") { $0.space = nil },
        Lack(.sleep, .note, "inhibit-delay-sleep") { $0.sleepRefusal = "AccessDenied" },
        Lack(.journal, .note, "no messages") { $0.hasJournal = false },
        Lack(.journal, .note, "standard error") { $0.log = .text },
        Lack(.metrics, .note, "without a token") { $0.metrics = .init(listen: SocketAddress("[::1]:9")!, token: nil) },
        Lack(.manifests, .fault, "2 manifests or tasks are not used: a.json:1:2: no") {
            $0.unused = ["a.json:1:2: no", "b.json"]
        },
        Lack(.confinement, .note, "2 tasks, such as a.b.dump, have \"confinement\": \"none\"") {
            $0.unconfined = ["a.b.dump", "a.b.mail"]
            $0.lackingRights = ["root's programs lack capabilities"]
        },
        Lack(.confinement, .note, "all rights of the user; capabilities: a.c has chown kill") {
            ($0.unconfined, $0.capabilities, $0.lackingRights) = (["a.b.dump"], ["a.c has chown kill"], ["x"])
        },
        Lack(.fleet, .note, "1970-01-01T00:00:07") {
            $0.fleet = .unreached(since: Timestamp(nanoseconds: 7_000_000_000))
        },
        Lack(.limits, .note, "network.host for 3 of the last 200") { $0.degraded = ["network.host": 3] },
    ]

    @Test("A service that may not ask for the clock's state says so, and that is no note", arguments: [true, false])
    func hiddenClock(_ isSynchronized: Bool) throws {
        var machine = Self.machine()
        machine.clock = .hidden(isSynchronized: isSynchronized)
        let check = try #require(MachineExamination.checks(machine).first { $0.name == .clock })
        #expect(
            check.status == .ok && check.found.contains(isSynchronized ? "as systemd-timesyncd says" : "timedatectl"))
    }

    @Test("A machine that has everything has nothing but ok, in a fixed order")
    func nothing() {
        let checks = MachineExamination.checks(Self.machine())
        #expect(checks.map(\.name) == MachineCheck.Name.allCases)
        #expect(checks.allSatisfy { $0.status == .ok && $0.costs == nil && $0.remedy == nil }, "\(checks)")
    }

    @Test("What it lacks is reported, with its cost and a remedy, and nothing else", arguments: lacks)
    func lack(_ lack: Lack) throws {
        var facts = Self.machine()
        lack.change(&facts)
        let wrong = MachineExamination.checks(facts).filter { $0.status != .ok }
        let check = try #require(wrong.first)
        #expect(wrong.count == 1 && check.name == lack.check && check.status == lack.status, "\(wrong)")
        #expect("\(check.found) \(check.costs ?? "") \(check.remedy ?? "")".contains(lack.words), "\(check)")
        #expect(check.costs?.isEmpty == false && check.remedy?.isEmpty == false)
    }

    @Test("Without a bus sleep has no notice, on a machine that sleeps")
    func sleeping() {
        for (sleeps, expected) in [("mem", [MachineCheck.Name.bus, .sleep]), ("", [.bus])] {
            var facts = Self.machine()
            facts.busFault = "no system bus"
            facts.hasLogind = false
            facts.sleeps = sleeps
            let wrong = MachineExamination.checks(facts).filter { $0.status != .ok }
            #expect(wrong.map(\.name) == expected)
        }
    }
}

@Suite("taskhost doctor")
struct DoctorTests {
    struct Answer: Decodable {
        struct Check: Decodable {
            var check: String
            var status: String
            var found: String
            var costs: String?
            var remedy: String?
        }
        var serving: Bool
        var checks: [Check]
        subscript(name: String) -> Check? { checks.first { $0.check == name } }
    }

    private func answer(_ command: Command) throws -> Answer {
        let answer = try JSONDecoder().decode(Answer.self, from: Data(command.output.utf8))
        #expect(command.status == (answer.checks.contains { $0.status == "fault" } ? 1 : 0), "\(command)")
        #expect(answer.checks.map(\.check) == MachineCheck.Name.allCases.map(\.name))
        for check in answer.checks {
            #expect((check.costs == nil) == (check.status == "ok") && (check.remedy == nil) == (check.status == "ok"))
        }
        return answer
    }

    @Test("answers for the machine without a host, and creates no state")
    func alone() throws {
        let station = try Station()
        let found = try answer(try station.start(["doctor", "--json"]).finish())
        #expect(!found.serving && found["host"]?.found == "no host serves \(station.state)")
        #expect(
            found["landlock"]?.found
                == (Landlock.version > 0 ? "version \(Landlock.version)" : "the kernel has no Landlock"))
        #expect(found["disk"]?.found.hasSuffix("for \(station.state)") == true)
        #expect(!FileManager.default.fileExists(atPath: station.state))
        let text = try station.start(["doctor"]).finish()
        let lines = text.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(lines.count == MachineCheck.Name.allCases.count, "\(text)")
    }

    @Test("answers for its daemon, whose runs and disk it knows")
    func served() throws {
        let station = try Station()
        try station.configure("diskFloor", "16384GiB")
        try station.add(
            ManifestText(members: [
                "identifier": "com.example.one",
                "tasks": ["com.example.one.t": ["kind": "processing", "handler": ["command": ["/bin/true"]]]],
            ]))
        let daemon = try Daemon(station)
        _ = try station.start(["run", "com.example.one.t"], manifests: false).finish()
        let found = try answer(try station.start(["doctor", "--json"]).finish())
        #expect(found.serving && found["host"]?.status == "ok")
        #expect(found["disk"]?.status == "fault")
        let run = try #require(try station.history().first)
        let limits = try #require(found["limits"])
        #expect(
            (limits.status == "ok") == run.degraded.isEmpty && limits.found.contains("the last 1 runs"), "\(limits)")
        #expect(try daemon.stop().status == 0)
    }

    @Test("names a state folder that is of no use, and judges the rest")
    func foreign() throws {
        let station = try Station()
        try station.folder.write("state/else.txt", Data("mine".utf8))
        let command = try station.start(["doctor", "--json"]).finish()
        #expect(command.status == 1, "\(command)")
        let found = try answer(command)
        #expect(found["host"]?.status == "fault" && found["host"]?.found.contains(station.state) == true, "\(found)")
        #expect(found["kernel"]?.found.hasPrefix("Linux ") == true)
    }
}
