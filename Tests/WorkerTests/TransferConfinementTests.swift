import Glibc
import Testing

/// The transfer process is confined as workers are, but for its network; and it writes to no path at all.
@Suite("What the transfer process cannot do")
struct TransferConfinementTests {
    /// It goes where the host says, asks name servers, and has a connection and two files for each transfer.
    private static let allowed: Set<String> = [
        "udp", "udp6", "connectOther", "tcp", "connectGranted", "exhaustDescriptors",
    ]
    private static let attacks =
        ConfinementAttackTests.all.filter { !allowed.contains($0.action[0]) }.map(\.testDescription)
        + [
            "append @state/file", "create @state/new", "create @cache/new", "create @shared/new", "mkdir @state/new",
            "unlink @state/file", "read @granted/file", "read @state/file",
        ]
    private static let situations: [ConfinementSituation] = [.root, .user].filter(
        ConfinementSituation.possible.contains)

    @Test("is refused", arguments: attacks)
    func refuses(_ attack: String) {
        for situation in Self.situations {
            let words = attack.split(separator: " ").map(String.init)
            let probe = ConfinementProbe.run(situation.options + ["--transfer"] + words)
            guard case .refused = probe.verdict else {
                Issue.record("\(attack) as \(situation): \(probe.verdict)")
                continue
            }
            #expect(probe.report?["seccomp"] == "true")
        }
    }

    @Test("is what it is there for", arguments: ["connectOther", "udp", "threads"])
    func allows(_ action: String) {
        for situation in Self.situations {
            #expect(ConfinementProbe.run(situation.options + ["--transfer", action]).verdict == .allowed)
        }
    }
}
