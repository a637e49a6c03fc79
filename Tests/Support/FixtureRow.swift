import Foundation
import TaskModel

/// A row of `Tests/Fixtures/expectations.json`.
package struct FixtureRow: Decodable, CustomStringConvertible {
    /// What the harness, which confines nothing, makes of the fixture.
    package enum InHarness: Decodable {
        /// Not run there: it needs the real host, or would harm the machine without it.
        case no
        /// Another outcome than the host's: an attack that nothing refuses.
        case outcome(String)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(String.self)).map(InHarness.outcome) ?? .no
        }
    }

    package var name: String
    package var identifier: String
    package var outcome: String
    package var accepts: [String]?
    package var reason: String?
    package var signal: Int32?
    /// Where a machine has another one, by the machine's name of uname(1).
    package var signals: [String: Int32]?
    package var exitStatus: Int32?
    package var diagnostics: String?
    package var harness: InHarness?
    /// What the machine must be able to do for it to end so.
    package var needs: [String]?
    /// Its manifest is refused before anything is launched.
    package var isInvalid: Bool?

    /// Its signal on this machine.
    package var expectedSignal: Int32? { signals?[TestMachine.name] ?? signal }

    package var description: String { name }

    package static let all: [FixtureRow] = {
        struct Document: Decodable { var fixtures: [FixtureRow] }
        let url = Places.fixtures.appending(path: "expectations.json")
        // An unreadable table shows as no fixtures at all, which a test refuses.
        return (try? JSONDecoder().decode(Document.self, from: Data(contentsOf: url)))?.fixtures ?? []
    }()

    package static let outcomes = Set(Outcome.allCases.map(\.name))
}
