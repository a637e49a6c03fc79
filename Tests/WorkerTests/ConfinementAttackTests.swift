import Glibc
import Testing

@Suite("What a confined worker cannot do")
struct ConfinementAttackTests {
    static let all = ConfinementRow.all.filter { $0.verdict == .refused(nil) }

    @Test("is refused", arguments: all)
    func refuses(_ attack: ConfinementRow) {
        for situation in attack.situations {
            let probe = ConfinementProbe.run(situation.options + attack.action)
            #expect(attack.verdict.isMet(by: probe.verdict), "\(attack) as \(situation): \(probe.verdict)")
            #expect(probe.report?["seccomp"] == "true")
        }
    }

    @Test("would succeed in a process that is not confined", arguments: all.filter(\.succeedsFreely))
    func succeedsUnconfined(_ attack: ConfinementRow) {
        let probe = ConfinementProbe.run(ConfinementSituation.user.options + ["--unconfined"] + attack.action)
        #expect(probe.verdict == .allowed)
    }

    @Test(
        "ends the worker: system calls by another numbering", arguments: ["x32", "int80"], ConfinementSituation.possible
    )
    func killsForeignCalls(_ action: String, _ situation: ConfinementSituation) {
        #if arch(x86_64)
        #expect(ConfinementProbe.run(situation.options + [action]).verdict == .killed(SIGSYS))
        #else
        #expect(ConfinementProbe.run(situation.options + ["unknownCall"]).verdict == .refused(ENOSYS))
        #endif
    }

    @Test(
        "has no more processes and memory than it was given",
        arguments: ConfinementRow.all.filter { $0.isLimit && !$0.situations.isEmpty })
    func isLimited(_ row: ConfinementRow) {
        for situation in row.situations {
            let verdict = ConfinementProbe.run(situation.options + row.action).verdict
            #expect(row.verdict.isMet(by: verdict), "\(row) as \(situation): \(verdict)")
        }
    }
}
