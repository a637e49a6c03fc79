import Glibc
import Testing

@Suite("What a confined worker can do")
struct ConfinementWorkTests {
    private static let actions = [
        "read @granted/file", "list @granted", "work @state", "work @cache", "work @shared",
        "sqlite @state", "threads", "fork", "group", "dlopen libz.so.1 crc32", "dlopen libsqlite3.so.0 sqlite3_open",
        "raise", "clocks", "zone", "random", "events", "messages", "wire", "closure", "mapCode", "descriptors",
        "surroundings @state", "limits", "task", "dispatch", "dispatchTimer", "read /proc/self/status",
        "read /usr/share/zoneinfo/UTC",
    ]

    @Test("is done", arguments: actions)
    func works(_ action: String) {
        for situation in ConfinementSituation.possible {
            let probe = ConfinementProbe.run(situation.options + action.split(separator: " ").map(String.init))
            #expect(probe.verdict == .allowed, "\(action) as \(situation)")
        }
    }

    @Test("reaches a TCP port that was granted", arguments: ConfinementSituation.possible.filter(\.hasNetwork))
    func connects(_ situation: ConfinementSituation) {
        #expect(ConfinementProbe.run(situation.options + ["connectGranted"]).verdict == .allowed)
        #expect(ConfinementProbe.run(situation.options + ["resolve", "localhost"]).verdict == .allowed)
    }

    @Test("moves files between its folders, where Landlock has a right for that")
    func moves() {
        let old: [ConfinementSituation] = [.userWithFirstLandlock, .accountWithFirstLandlock].filter(
            ConfinementSituation.possible.contains)
        for situation in old {
            #expect(
                ConfinementProbe.run(situation.options + ["renameBetween", "@state"]).verdict == .refused(EXDEV))
        }
        for situation in ConfinementSituation.possible where !old.contains(situation) {
            #expect(ConfinementProbe.run(situation.options + ["renameBetween", "@state"]).verdict == .allowed)
        }
    }

    @Test("kills its children, except where signals are pinned to the worker")
    func killsChildren() {
        let pinned: [ConfinementSituation] = [
            .userWithFirstLandlock, .userWithFourthLandlock, .accountWithFirstLandlock,
        ]
        for situation in ConfinementSituation.possible {
            let verdict = ConfinementProbe.run(situation.options + ["killChild"]).verdict
            #expect(verdict == (pinned.contains(situation) ? .refused(EPERM) : .allowed), "\(situation)")
        }
    }

    @Test(
        "crashes by the signal of the crash",
        arguments: [("fault", SIGSEGV), ("abort", SIGABRT), ("overrunStack", SIGSEGV)])
    func crashes(_ action: String, _ signal: Int32) {
        for situation in ConfinementSituation.possible {
            #expect(ConfinementProbe.run(situation.options + [action]).verdict == .killed(signal), "\(situation)")
        }
    }
}
