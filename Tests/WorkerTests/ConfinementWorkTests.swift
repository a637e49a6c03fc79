import Glibc
import Testing

@Suite("What a confined worker can do")
struct ConfinementWorkTests {
    @Test("is done", arguments: ConfinementRow.all.filter { $0.verdict == .allowed && !$0.isLimit })
    func works(_ row: ConfinementRow) {
        for situation in row.situations {
            let probe = ConfinementProbe.run(situation.options + row.action)
            #expect(probe.verdict == .allowed, "\(row) as \(situation)")
        }
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

    @Test("crashes by the signal of the crash", arguments: ConfinementRow.all.filter(\.isCrash))
    func crashes(_ row: ConfinementRow) {
        for situation in row.situations {
            let verdict = ConfinementProbe.run(situation.options + row.action).verdict
            #expect(row.verdict.isMet(by: verdict), "\(row) as \(situation): \(verdict)")
        }
    }
}
