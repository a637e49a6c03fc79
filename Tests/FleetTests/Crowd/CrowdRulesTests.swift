import Record
import TaskModel
import Testing

/// The rules find what is planted into a history in which all holds.
@Suite("The rules of a fleet's history")
struct CrowdRulesTests {
    private typealias History = CrowdHistory

    /// A violation, and the rule that has to find it.
    struct Planted: Sendable, CustomTestStringConvertible {
        var rule: String
        var what: String
        var plant: @Sendable (inout CrowdHistory) -> Void

        init(_ rule: String, _ what: String, _ plant: @escaping @Sendable (inout CrowdHistory) -> Void) {
            (self.rule, self.what, self.plant) = (rule, what, plant)
        }

        var testDescription: String { "\(rule): \(what)" }
    }

    private static func key(_ number: UInt64) -> ULID { ULID(high: 7, low: number) }
    private static func token(_ key: UInt64, _ number: Int64) -> ClaimToken {
        ClaimToken(key: Self.key(key), number: number)
    }

    /// A version of a request: `holder` 0 is nobody's.
    private static func change(
        _ key: UInt64, _ number: Int64, _ holder: Int64 = 0, leased: Bool = false, ended: Bool = false,
        quarantined: Bool = false, free: Int64, claimed: Int64? = nil, losses: Int = 0, payload: String
    ) -> CrowdHistory.Change {
        CrowdHistory.Change(
            key: Self.key(key), number: number, holder: holder == 0 ? nil : holder, leased: leased,
            quarantined: quarantined, ended: ended, free: free, claimed: claimed, losses: losses, payload: payload)
    }

    /// Request 1 is lost by host 0 and taken over by host 1; request 2 is tried twice, for its place was taken; request 3 waits for
    /// its time; request 4 is quarantined and released.
    private static func sound() -> CrowdHistory {
        var history = CrowdHistory()
        history.members = [
            CrowdHistory.Member(identifiers: ["a", "b"], labels: ["room": "lab"], most: 1, lease: 1_000_000),
            CrowdHistory.Member(identifiers: ["a"], labels: [:], most: 2, lease: 1_000_000),
        ]
        history.lives = [10: 0, 11: 1]
        history.submissions = [
            CrowdHistory.Submission(number: 0, identifier: "a", key: key(1)),
            CrowdHistory.Submission(number: 1, identifier: "b", dedupe: "x", policy: "replace", key: key(2)),
            CrowdHistory.Submission(
                number: 2, identifier: "b", labels: ["room": "lab"], dedupe: "x", policy: "replace", key: key(2)),
            CrowdHistory.Submission(
                number: 3, identifier: "a", earliest: 9_000_000, dedupe: "y", policy: "keep", key: key(3)),
            CrowdHistory.Submission(number: 4, identifier: "a", key: key(4)),
        ]
        history.changes = [
            change(1, 0, free: 1_000_000, payload: "0"),
            change(1, 1, 10, leased: true, free: 2_000_000, claimed: 1_000_000, payload: "0"),
            change(1, 1, 10, leased: true, free: 2_500_000, claimed: 1_000_000, payload: "0"),
            change(1, 2, 11, leased: true, free: 4_000_000, claimed: 3_000_000, losses: 1, payload: "0"),
            change(1, 2, 11, ended: true, free: 4_000_000, claimed: 3_000_000, losses: 1, payload: ""),
            change(2, 0, free: 1_000_000, payload: "1"), change(2, 0, free: 1_000_000, payload: "2"),
            change(2, 1, 10, leased: true, free: 6_000_000, claimed: 5_000_000, payload: "2"),
            change(2, 1, free: 5_500_000, claimed: 5_000_000, payload: "2"),
            change(2, 2, 10, leased: true, free: 7_000_000, claimed: 6_000_000, payload: "2"),
            change(2, 2, 10, ended: true, free: 7_000_000, claimed: 6_000_000, payload: ""),
            change(3, 0, free: 9_000_000, payload: "3"),
            change(3, 1, 11, leased: true, free: 10_000_000, claimed: 9_000_000, payload: "3"),
            change(3, 1, 11, ended: true, free: 10_000_000, claimed: 9_000_000, payload: ""),
            change(4, 0, free: 10_000_000, payload: "4"),
        ]
        for number in 1...5 {
            let time = Int64(number) * 2_000_000 + 9_000_000
            history.changes.append(
                change(
                    4, Int64(number), 11, leased: true, free: time + 1_000_000, claimed: time, losses: number - 1,
                    payload: "4"))
        }
        history.changes += [
            change(4, 5, 11, quarantined: true, free: 20_000_000, claimed: 19_000_000, losses: 5, payload: "4"),
            change(4, 5, free: 21_000_000, claimed: 19_000_000, payload: "4"),
            change(4, 6, 11, leased: true, free: 23_000_000, claimed: 22_000_000, payload: "4"),
            change(4, 6, 11, ended: true, free: 23_000_000, claimed: 22_000_000, payload: ""),
        ]
        history.requests = [(1, 2), (2, 2), (3, 1), (4, 6)].map { number, last in
            CrowdHistory.Request(key: key(number), state: "ended", number: last, outcome: "succeeded")
        }
        func end(_ token: ClaimToken, _ outcome: String?, _ accepted: Bool = true) {
            history.runs.append(CrowdHistory.Run(token: token, outcome: outcome, accepted: accepted))
        }
        end(token(1, 1), "leaseLost", false)
        end(token(1, 1), "succeeded", false)
        end(token(1, 2), "succeeded")
        end(token(2, 1), nil)
        end(token(2, 2), "succeeded")
        end(token(3, 1), "succeeded")
        end(token(4, 6), "succeeded")
        history.starts = [
            start(1, 1, 0, "0", 1_500_000), start(1, 2, 1, "0", 3_500_000), start(2, 1, 0, "2", 5_100_000),
            start(2, 2, 0, "2", 6_100_000), start(3, 1, 1, "3", 9_100_000), start(4, 6, 1, "4", 22_100_000),
        ]
        history.beliefs = [CrowdHistory.Belief(token: token(1, 1), end: 2_499_000)]
        history.answers = [
            CrowdHistory.Answer(token: token(1, 1), isLast: true, isAccepted: false),
            CrowdHistory.Answer(token: token(1, 2), isLast: true, isAccepted: true),
            CrowdHistory.Answer(token: token(2, 1), isLast: false, isAccepted: true),
        ]
        return history
    }

    private static func start(
        _ key: UInt64, _ number: Int64, _ host: Int, _ payload: String, _ time: Int64
    ) -> CrowdHistory.Start {
        CrowdHistory.Start(token: token(key, number), host: host, payload: payload, time: time)
    }

    private static let planted = [
        Planted("one accepted end of a token", "two") {
            $0.runs.append(CrowdHistory.Run(token: token(2, 1), outcome: "failed", accepted: true))
        },
        Planted("one end of a request", "it is open") { $0.requests[2].state = "leased" },
        Planted("one end of a request", "of an old token too") {
            $0.runs[1].accepted = true
        },
        Planted("one end of a request", "of another token") { $0.requests[0].number = 3 },
        Planted("one end of a request", "another outcome") { $0.requests[0].outcome = "failed" },
        Planted("no request is lost", "it is gone") { $0.requests.removeLast() },
        Planted("no request is lost", "nobody submitted it") { $0.changes[0].payload = "99" },
        Planted("no start before its time", "a claim") { $0.changes[12].claimed = 8_999_999 },
        Planted("no start before its time", "a start") { $0.starts[4].time = 8_999_000 },
        Planted("only hosts that can", "it is not installed") { $0.starts[2].host = 1 },
        Planted("only hosts that can", "a label is missing") { $0.members[0].labels = [:] },
        Planted("each start has a token", "another's") { $0.starts[1].host = 0 },
        Planted("each start has a token", "twice at once") { $0.starts.append($0.starts[3]) },
        Planted("each start has a token", "never given") { $0.starts[0].token.number = 7 },
        Planted("tokens only grow", "back") { $0.changes[2].number = 0 },
        Planted("tokens only grow", "after the end") {
            $0.changes.append(change(3, 2, 11, leased: true, free: 12_000_000, claimed: 11_000_000, payload: "3"))
        },
        Planted("tokens only grow", "one token of two hosts") { $0.changes[2].holder = 11 },
        Planted("one lease at a time", "the renewed one goes on") { $0.changes[3].claimed = 2_400_000 },
        Planted("one lease at a time", "in its pause") { $0.changes[9].claimed = 5_400_000 },
        Planted("one lease at a time", "out of its quarantine") { $0.changes.remove(at: 21) },
        Planted("hosts believe in no longer lease", "too long") { $0.beliefs[0].end = 2_600_000 },
        Planted("hosts believe in no longer lease", "none") { $0.beliefs[0].token.number = 9 },
        Planted("no more leases than wished for", "two of one") {
            var claim = $0.changes.remove(at: 7)
            claim.claimed = 2_000_000
            $0.changes.insert(claim, at: 3)
        },
        Planted("answers are those of the history", "accepted, and it is not") { $0.answers[0].isAccepted = true },
        Planted("answers are those of the history", "superseded, and it is not") { $0.answers[1].isAccepted = false },
        Planted("answers are those of the history", "the request went on") { $0.answers[2].isLast = true },
        Planted("dedupe is kept", "two wait") {
            $0.submissions[4].dedupe = "x"
            $0.submissions[4].policy = "replace"
            $0.submissions[4].identifier = "b"
            $0.changes.insert($0.changes.remove(at: 14), at: 6)
        },
        Planted("dedupe is kept", "two are open") {
            $0.submissions[4].dedupe = "y"
            $0.submissions[4].policy = "keep"
            $0.changes.insert($0.changes.remove(at: 14), at: 12)
        },
        Planted("dedupe is kept", "what was replaced runs") { $0.starts[2].payload = "1" },
        Planted("quarantine after five losses", "after four") {
            $0.changes.removeAll { $0.token == token(4, 5) && $0.leased }
        },
        Planted("quarantine after five losses", "not after five") {
            $0.changes.removeAll { $0.token == token(4, 5) && !$0.leased }
        },
        Planted("quarantine after five losses", "miscounted") { $0.changes[3].losses = 0 },
        Planted("no claim of a host that drains", "one") { $0.drained.append(token(1, 1)) },
        Planted("engines are in order", "one is not") { $0.disorders.append("a run is lost") },
        Planted("nothing is refused", "one") { $0.refusals.append("40P01 deadlock detected") },
    ]

    @Test("find nothing where all holds")
    func soundness() { #expect(CrowdRules.check(Self.sound()) == []) }

    @Test("find what is planted", arguments: planted)
    func violations(_ planted: Planted) {
        var history = Self.sound()
        planted.plant(&history)
        let faults = CrowdRules.check(history)
        #expect(faults.contains { $0.hasPrefix(planted.rule + ":") }, "\(faults)")
    }

    @Test("each have something planted")
    func completeness() {
        #expect(Set(CrowdRules.all.map(\.name)) == Set(Self.planted.map(\.rule)))
    }
}
