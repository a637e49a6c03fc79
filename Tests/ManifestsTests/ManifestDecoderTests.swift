import JSON
import Manifests
import TaskModel
import Testing

@Suite struct ManifestDecoderTests {
    static let feeds = #"""
        {
          "$schema": "./schema.json",
          "identifier": "com.example.feeds",
          "name": "Feed reader",
          "version": "2.1",
          "library": "libFeeds.so",
          "sha256": "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF",
          "backgroundModes": ["fetch", "processing"],
          "tasks": {
            "com.example.feeds.refresh": {
              "kind": "appRefresh",
              "handler": "feeds_refresh",
              "budget": { "wallClock": "40s", "cpuTime": "10s", "memory": "64MiB", "grace": "4s" },
              "schedule": { "every": "15m", "jitter": "1m", "catchUp": "none", "payload": "now" },
              "retry": { "attempts": 3, "backoff": "20s" },
              "settings": { "list": "$MANIFEST/feeds.txt", "keepDays": 30, "big": 18446744073709551615 }
            },
            "com.example.feeds.compact": {
              "kind": "processing",
              "handler": {
                "library": "libz.so.1", "symbol": "crc32", "signature": "u64(u64, bytes, u32)",
                "arguments": [0, {"payload": "bytes"}, {"payload": "length"}], "success": "result == 3421780262"
              },
              "schedule": { "calendar": "30 2 * * MON-FRI", "timeZone": "Europe/Berlin" },
              "requires": { "externalPower": true, "network": false }
            },
            "org.elsewhere.task": { "kind": "healthResearch" }
          },
          "permissions": {
            "read": ["$MANIFEST/feeds.txt", "/usr/share"], "write": ["$STATE"],
            "network": ["feeds.example.com:443", "*:53", "[2001:db8::1]:80", "127.0.0.1:8080"]
          },
          "isolation": "exec",
          "enforcement": "bestEffort"
        }
        """#

    @Test func aFullManifestIsReadWhole() throws {
        let result = ManifestText.decode(Self.feeds, path: "manifests/feeds.json")
        #expect(result.diagnostics == [])
        let application = try #require(result.application)
        var expected = ApplicationDefinition(
            identifier: "com.example.feeds", name: "Feed reader", version: "2.1", library: "libFeeds.so",
            librarySHA256: (0..<32).map { UInt8($0 % 16) * 0x11 }, backgroundModes: ["fetch", "processing"],
            isolation: .exec, enforcement: .bestEffort, manifestPath: "manifests/feeds.json", manifestFolder: "/etc/m")
        expected.tasks = [
            TaskDefinition(
                identifier: "com.example.feeds.refresh", kind: .appRefresh, handler: .symbol("feeds_refresh"),
                budget: Budget(
                    wallClock: .seconds(40), cpuTime: .seconds(10), memory: .mebibytes(64), grace: .seconds(4),
                    declared: [.wallClock, .cpuTime, .memory, .grace]),
                settings: #"{"list":"$MANIFEST/feeds.txt","keepDays":30,"big":18446744073709551615}"#,
                schedule: Schedule(every: .minutes(15), jitter: .minutes(1), catchUp: .none, payload: "now"),
                retry: Retry(attempts: 3, backoff: .seconds(20))),
            TaskDefinition(
                identifier: "com.example.feeds.compact", kind: .processing,
                handler: .foreign(
                    ForeignFunction(
                        library: "libz.so.1", symbol: "crc32",
                        signature: Signature(result: .u64, parameters: [.u64, .bytes, .u32]),
                        arguments: [.integer(0), .payloadBytes, .payloadLength],
                        success: .compare(.equal, .integer(3_421_780_262)))),
                budget: Budget(
                    wallClock: .minutes(5), cpuTime: nil, memory: Budget.defaultMemory, grace: .seconds(5)),
                schedule: Schedule(calendar: try CalendarSyntax.parse("30 2 * * MON-FRI"), timeZone: "Europe/Berlin"),
                requires: Requirements(externalPower: true, idle: true)),
            TaskDefinition(
                identifier: "org.elsewhere.task", kind: .healthResearch, handler: .registered,
                budget: Budget(
                    wallClock: .minutes(5), cpuTime: nil, memory: Budget.defaultMemory, grace: .seconds(5)),
                requires: Requirements(idle: true)),
        ]
        expected.permissions = Permissions(
            read: ["$MANIFEST/feeds.txt", "/usr/share"], write: ["$STATE"],
            network: [
                NetworkGrant(.name("feeds.example.com"), port: 443), NetworkGrant(.any, port: 53),
                NetworkGrant(.network(.init(NetworkAddress(high: 0x2001_0db8 << 32, low: 1))), port: 80),
                NetworkGrant(.network(.init(v4: 127, 0, 0, 1, length: 32)), port: 8080),
            ])
        #expect(application == expected)
    }

    @Test func defaultsComeFromTheProfile() throws {
        var profile = LimitsProfile.modern
        profile.refreshWallClock = .seconds(2)
        let text = ManifestText.with()
        let result = ManifestDecoder.decode(bytes: Array(text.utf8), path: "", folder: "", profile: profile)
        let task = try #require(result.application?.tasks.first)
        #expect(
            task.budget
                == Budget(
                    wallClock: .seconds(2), cpuTime: nil, memory: Budget.defaultMemory, grace: .milliseconds(400)))
        #expect(task.handler == .registered)
        #expect(task.settings == "{}")
        #expect(task.schedule == nil && task.retry == nil)
        #expect(task.requires == Requirements())
        let application = try #require(result.application)
        #expect(application.isolation == .zygote && application.enforcement == .strict)
        #expect(application.permissions == Permissions())
        #expect(application.name == nil && application.librarySHA256 == nil && application.backgroundModes == nil)
    }

    @Test func partsHaveDefaultsOfTheirOwn() throws {
        let task = try #require(
            ManifestText.task(
                #""kind": "appRefresh", "budget": {"grace": "0s"}, "retry": {"attempts": 2}, "schedule": {"every": "1h"}"#
            ))
        #expect(task.budget.grace == .zero)
        #expect(task.budget.wallClock == .seconds(30))
        #expect(task.retry == Retry(attempts: 2, backoff: .seconds(30)))
        #expect(task.schedule == Schedule(every: .minutes(60), jitter: .zero, catchUp: .latest))
    }

    @Test(
        "A budget says what the manifest declares",
        arguments: [
            ("{}", []), (#"{"memory": "256MiB"}"#, .memory),
            (#"{"wallClock": "30s", "cpuTime": "1s"}"#, [.wallClock, .cpuTime]),
            (#"{"grace": "1s"}"#, .grace),
        ] as [(String, Budget.Keys)])
    func declared(_ budget: String, _ keys: Budget.Keys) throws {
        #expect(ManifestText.task(#""kind": "appRefresh", "budget": \#(budget)"#)?.budget.declared == keys)
        #expect(ManifestText.task(#""kind": "appRefresh""#)?.budget.declared == [])
        let stalls = ManifestText.task(#""kind": "continuedProcessing", "budget": {"stall": "30s"}"#)
        #expect(stalls?.budget.declared == .stall)
    }

    @Test(
        "What a task requires of the network",
        arguments: [
            ("false", nil), ("true", .constrained), (#""any""#, .constrained), (#""unmetered""#, .ok),
        ] as [(String, NetworkAccess?)])
    func network(_ word: String, _ access: NetworkAccess?) throws {
        let task = try #require(ManifestText.task(#""kind": "processing", "requires": {"network": \#(word)}"#))
        #expect(task.requires == Requirements(network: access, idle: true))
    }

    @Test func spaceIsAskedForAsASize() throws {
        let task = try #require(ManifestText.task(#""kind": "appRefresh", "requires": {"disk": "500MiB"}"#))
        #expect(task.requires[.disk] == 500 << 20)
        let messages = ManifestText.messages(
            ManifestText.with(task: #""kind": "appRefresh", "requires": {"disk": 500}"#))
        #expect(messages.count == 1 && messages[0].contains("requires.disk"), "\(messages)")
    }

    @Test func idlenessCanBeChosen() throws {
        #expect(ManifestText.task(#""kind": "processing", "requires": {"idle": false}"#)?.requires.idle == false)
        #expect(ManifestText.task(#""kind": "appRefresh", "requires": {"idle": true}"#)?.requires.idle == true)
        #expect(ManifestText.task(#""kind": "continuedProcessing""#)?.requires.idle == false)
    }

    @Test func continuedProcessingEndsByStandingStill() throws {
        let task = try #require(ManifestText.task(#""kind": "continuedProcessing""#))
        #expect(task.budget.wallClock == .unlimited && task.budget.stall == .seconds(30))
        #expect(task.budget.grace == .seconds(5))
        let other = try #require(
            ManifestText.task(#""kind": "continuedProcessing", "budget": {"wallClock": "1h", "stall": "2m"}"#))
        #expect(other.budget.wallClock == .minutes(60) && other.budget.stall == .minutes(2))
        #expect(ManifestText.task(#""kind": "processing""#)?.budget.stall == nil)
        // Neither a schedule nor processor time is compared with an end that never comes.
        let text = ManifestText.with(
            task: #""kind": "continuedProcessing", "budget": {"cpuTime": "7d"}, "schedule": {"every": "1s"}"#)
        #expect(ManifestText.decode(text).diagnostics == [])
    }

    @Test func aTaskMayServeManyIdentifiers() throws {
        let result = ManifestText.decode(
            #"{"identifier":"a.b","library":"l","misuse":"report","sdk":"27","tasks":{"a.b.*":{"kind":"continuedProcessing"}}}"#
        )
        #expect(result.diagnostics == [])
        let application = try #require(result.application)
        #expect(application.tasks[0].identifier == "a.b.*" && application.tasks[0].isWildcard)
        #expect(application.misuse == .report && application.rules == .iOS27)
    }

    @Test func modesRuleOutKindsOnlyWhenTheyAreNamed() throws {
        var application = try #require(ManifestText.decode(ManifestText.with()).application)
        #expect(TaskKind.allCases.allSatisfy { !application.lacksMode(for: $0) })
        application.backgroundModes = ["fetch"]
        #expect(TaskKind.allCases.filter { application.lacksMode(for: $0) } == [.processing, .remoteNotification])
        application.backgroundModes = []
        #expect(
            TaskKind.allCases.filter { application.lacksMode(for: $0) }
                == [.appRefresh, .processing, .backgroundFetch, .remoteNotification])
    }

    @Test func anApplicationOfForeignFunctionsNeedsNoLibrary() throws {
        let text = ManifestText.with(
            task:
                #""kind": "processing", "handler": {"library": "libc.so.6", "symbol": "sync", "signature": "void()"}"#,
            extra: "")
        let application = try #require(ManifestText.decode(text).application)
        #expect(application.library == nil)
    }

    @Test func allFaultsComeInOneGoAndInOrder() {
        let result = ManifestText.decode(
            """
            {
              "identifier": "feeds.",
              "tasks": {
                "com.example.x": {
                  "kind": "refresh",
                  "budget": { "walClock": "30s", "memory": 64 }
                }
              },
              "isolation": 1
            }
            """, path: "m/feeds.json")
        #expect(result.application == nil)
        #expect(result.hasErrors)
        let starts = result.diagnostics.map { $0.description.split(separator: ": found ")[0] }
        #expect(
            starts == [
                "m/feeds.json:2:17: $.identifier",
                #"m/feeds.json:4:22: $.tasks["com.example.x"].handler"#,
                #"m/feeds.json:5:15: $.tasks["com.example.x"].kind"#,
                #"m/feeds.json:6:19: $.tasks["com.example.x"].budget.walClock"#,
                #"m/feeds.json:6:48: $.tasks["com.example.x"].budget.memory"#,
                "m/feeds.json:9:16: $.isolation",
            ])
    }

    @Test func aSyntaxErrorStandsAlone() {
        let result = ManifestText.decode("{\"identifier\": \"x\",\n  oops}")
        #expect(
            result.diagnostics.map(\.description)
                == ["m.json:2:3: $: found 'o'; expected a key in double quotes after ','"])
    }

    @Test func aWarningDoesNotRefuseTheManifest() {
        let result = ManifestText.decode(ManifestText.with(extra: #""library": "l", "backgroundModes": []"#))
        #expect(result.application != nil && !result.hasErrors)
        #expect(result.diagnostics.map(\.severity) == [.futile])
        #expect(result.diagnostics[0].description.hasPrefix("m.json:1:71: warning: $.tasks"))
    }

    @Test func everyBackgroundModeOfIOSIsKnown() throws {
        let list = ManifestKeys.backgroundModes.map { "\"\($0)\"" }.joined(separator: ",")
        let result = ManifestText.decode(ManifestText.with(extra: #""library": "l", "backgroundModes": [\#(list)]"#))
        #expect(result.diagnostics == [])
        #expect(result.application?.backgroundModes == ManifestKeys.backgroundModes)
    }

    @Test func aHostileFileNameStaysOnOneLine() {
        let result = ManifestText.decode("[]", path: "a\nb.json")
        #expect(result.diagnostics.first?.description.hasPrefix(#""a\nb.json":1:1: $: found"#) == true)
    }
}
