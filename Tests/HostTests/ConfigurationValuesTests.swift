import Scheduling
import Setting
import TaskModel
import Testing
import Transfers

@Suite("The host's configuration")
struct ConfigurationValuesTests {
    private func decode(_ text: String) throws -> HostConfiguration {
        let (configuration, diagnostics) = ConfigurationDecoder.decode(bytes: Array(text.utf8), path: "c.json")
        #expect(diagnostics == [])
        return try #require(configuration)
    }

    @Test("has the scheduler's own defaults")
    func defaults() throws {
        for text in ["{}", #"{"scheduling": {}, "readers": []}"#] {
            let configuration = try decode(text)
            #expect(configuration == HostConfiguration())
            #expect(configuration.scheduling == SchedulerLimits() && configuration.readers == [])
        }
    }

    @Test("has windows of time")
    func windows() throws {
        let configuration = try decode(
            #"""
            {"windows": [{"from": "0 1 * * *", "for": "4h"},
             {"from": "30 2 * * MON", "for": "7d", "timeZone": "Europe/Berlin", "closed": true}]}
            """#)
        #expect(configuration.windows.map(\.from.text) == ["0 1 * * *", "30 2 * * MON"])
        #expect(configuration.windows.map(\.length) == [.minutes(240), .minutes(7 * 1440)])
        #expect(configuration.windows.map(\.timeZone) == [nil, "Europe/Berlin"])
        #expect(configuration.windows.map(\.isClosed) == [false, true])
    }

    @Test("has a user for the transfer process after those of applications, never the number that means no change")
    func transferUser() throws {
        #expect(HostConfiguration().transferUser == 2_000_065_536)
        let last = try decode(#"{"users": {"first": 4294967293, "count": 1}}"#)
        #expect(last.users == 4_294_967_293...4_294_967_293 && last.transferUser == 4_294_967_294)
        let (refused, _) = ConfigurationDecoder.decode(
            bytes: Array(#"{"users": {"first": 4294967294, "count": 1}}"#.utf8), path: "c.json")
        #expect(refused == nil)
    }

    @Test("bounds background transfers")
    func transfers() throws {
        let configuration = try decode(
            """
            {"transfers": {"concurrency": 3, "perApplication": 2, "perHost": 1, "rate": "1MiB", "applicationRate": "64KiB"}}
            """)
        var limits = TransferLimits()
        (limits.concurrency, limits.perApplication, limits.perHost) = (3, 2, 1)
        (limits.rate, limits.applicationRate) = (1 << 20, 64 << 10)
        #expect(configuration.transfers == limits)
    }

    @Test("has a fleet, with defaults")
    func fleet() throws {
        let plain = try #require(try decode(#"{"fleet": {"database": "service=taskhost"}}"#).fleet)
        #expect(plain == FleetSettings(database: "service=taskhost", name: MachineIdentity.name))
        #expect(plain.lease == .seconds(30) && plain.places == 8 && plain.labels.isEmpty)
        let whole = try #require(
            try decode(
                #"""
                {"fleet": {"database": "postgresql://db/taskhost", "name": "lab-1", "labels": {"room": "lab"}, "lease": "1m",
                 "places": 256}}
                """#
            ).fleet)
        #expect(whole.name == "lab-1" && whole.labels == ["room": "lab"])
        #expect(whole.lease == .minutes(1) && whole.places == 256)
    }

    @Test(
        "takes no password of a database, and shows none",
        arguments: [
            "password=tr0ub4dor", "host=db  password = 'tr0ub4dor \\' x' user=u", "service=s sslpassword=tr0ub4dor",
            "postgresql://user:tr0ub4dor@db/taskhost", "postgres://u:tr0ub4dor/x@db/taskhost", "password tr0ub4dor",
            "postgresql://db/taskhost?connect_timeout=3&password=tr0ub4dor", "postgresql://db/x?p%61ssword=tr0ub4dor",
            "host='db tr0ub4dor", "tr0ub4dor", String(repeating: "tr0ub4dor ", count: 300),
        ])
    func password(_ text: String) throws {
        let quoted = text.replacing("\\", with: "\\\\")
        let (configuration, faults) = ConfigurationDecoder.decode(
            bytes: Array(#"{"fleet": {"database": "\#(quoted)"}}"#.utf8), path: "c.json")
        #expect(configuration == nil && faults.count == 1)
        #expect(!"\(faults)".contains("tr0ub4dor") && "\(faults)".contains(".pgpass"))
    }

    @Test(
        "takes what libpq takes for a database",
        arguments: [
            "service=taskhost", "host=db port=5433 user='me' dbname = x", "postgresql://",
            "postgres://me@db:5433/x?sslmode=require",
            "passfile=/etc/taskhost/pass host=db", "options='-c password_encryption=x'",
            "host=a,b target_session_attrs=primary",
        ])
    func database(_ text: String) throws {
        #expect(try decode(#"{"fleet": {"database": "\#(text)"}}"#).fleet?.database == text)
    }

    @Test("gives the scheduler its numbers")
    func scheduling() throws {
        let configuration = try decode(
            """
            {"scheduling": {"concurrency": 3, "refreshes": 1, "processings": 4, "continued": 5,
             "quota": {"cpuTime": "10m", "window": "2h"}, "lowBattery": 0, "crashesAllowed": 7, "quarantine": "1m"},
             "readers": [0, 4294967294]}
            """)
        var limits = SchedulerLimits()
        (limits.concurrency, limits.refreshes, limits.processings, limits.continued) = (3, 1, 4, 5)
        (limits.quota, limits.quotaWindow) = (.minutes(10), .minutes(120))
        (limits.lowBattery, limits.crashesAllowed, limits.quarantine) = (0, 7, .minutes(1))
        #expect(configuration.scheduling == limits)
        #expect(configuration.readers == [0, 4_294_967_294])
        #expect(try decode(#"{"scheduling": {"quota": {"cpuTime": "1s"}}}"#).scheduling.quotaWindow == .seconds(86_400))
    }

    @Test("keeps its own numbers under any profile")
    func limits() throws {
        var configuration = try decode(
            """
            {"profile": "ios7", "suspendAfter": "1s", "suspendedApplications": 2, "launch": "20s",
             "limits": {"backgroundTime": "10s", "callback": "1s", "event": "2s", "fetchInterval": "3s",
                        "notificationsPerHour": 5}}
            """)
        for profile in [LimitsProfile.ios7, .ios6, .modern] {
            configuration.choose(profile)
            var expected = profile
            (expected.suspendAfter, expected.suspendedApplications, expected.launch) = (.seconds(1), 2, .seconds(20))
            (expected.backgroundTime, expected.assertionWarning) = (.seconds(10), .seconds(2))
            (expected.lifecycleCallback, expected.eventTime) = (.seconds(1), .seconds(2))
            (expected.fetchInterval, expected.notificationsPerHour) = (.seconds(3), 5)
            #expect(configuration.profile == expected)
        }
        var plain = try decode(#"{"profile": "ios6"}"#)
        plain.choose(.modern)
        #expect(plain.profile == .modern)
    }
}
