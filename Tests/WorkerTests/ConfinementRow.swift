import Foundation
import TestSupport
import Testing

/// A row of `Tests/Fixtures/confinement.tsv`: what becomes of an action, and where.
struct ConfinementRow: Sendable, CustomTestStringConvertible {
    enum Verdict: Equatable {
        case allowed
        /// nil: by any number of errno.
        case refused(Int32?)
        case killed(Int32)

        func isMet(by verdict: ConfinementProbe.Verdict) -> Bool {
            switch (self, verdict) {
            case (.allowed, .allowed), (.refused(nil), .refused): true
            case (.refused(.some(let one)), .refused(let other)), (.killed(let one), .killed(let other)): one == other
            default: false
            }
        }
    }

    var action: [String]
    var verdict: Verdict
    /// It succeeds when nothing confines the process: a refusal proves something.
    var succeedsFreely: Bool
    /// Those of the row that the test can take on.
    var situations: [ConfinementSituation]

    /// A resource, rather than a right.
    var isLimit: Bool { action.contains { $0.hasPrefix("exhaust") } && verdict != .refused(nil) }
    var isCrash: Bool { if case .killed = verdict { true } else { false } }
    var testDescription: String { action.joined(separator: " ") }

    private init?(_ line: Substring) {
        let columns = line.split(separator: "\t")
        let words = columns.dropFirst().first?.split(separator: " ") ?? []
        let number = words.count == 2 ? Int32(words[1]) : nil
        switch (words.first, number) {
        case ("allowed", nil): verdict = .allowed
        case ("refused", let code): verdict = .refused(code)
        case ("killed", .some(let signal)): verdict = .killed(signal)
        default: return nil
        }
        guard columns.count == 4 else { return nil }
        action = columns[0].split(separator: " ").map(String.init)
        succeedsFreely = columns[2] == "freely"
        let named = columns[3].split(separator: " ").compactMap { ConfinementSituation(rawValue: String($0)) }
        let accounts: [ConfinementSituation] =
            (named.contains(.user) ? [.account] : [])
            + (named.contains(.userWithFirstLandlock) ? [.accountWithFirstLandlock] : [])
        situations = (columns[3] == "-" ? ConfinementSituation.allCases : named + accounts)
            .filter(ConfinementSituation.possible.contains)
    }

    /// An unreadable table shows as no rows at all, which a test refuses.
    static let all: [ConfinementRow] = {
        let text = (try? String(contentsOf: Places.fixtures.appending(path: "confinement.tsv"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { ConfinementRow($0) }
    }()
}

@Suite("The table of what confinement refuses")
struct ConfinementTableTests {
    @Test("is read to its last row")
    func isWhole() throws {
        let text = try String(contentsOf: Places.fixtures.appending(path: "confinement.tsv"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(ConfinementRow.all.count == rows.count)
        #expect(ConfinementRow.all.count >= 190)
    }
}
