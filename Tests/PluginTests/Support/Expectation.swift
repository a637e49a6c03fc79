import Foundation
import Testing

/// A row of `Tests/Fixtures/expectations.json`.
struct Expectation: Decodable, CustomTestStringConvertible {
    /// What the harness, which confines nothing, makes of the fixture.
    enum InHarness: Decodable {
        /// Not run there: it needs the real host, or would harm the machine without it.
        case no
        /// Another outcome than the host's: an attack that nobody refuses.
        case outcome(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(String.self)).map(InHarness.outcome) ?? .no
        }
    }

    var name: String
    var identifier: String
    var outcome: String
    var accepts: [String]?
    var signal: Int32?
    var exitStatus: Int32?
    var diagnostics: String?
    var harness: InHarness?

    var testDescription: String { name }

    static let all: [Expectation] = {
        struct Document: Decodable { var fixtures: [Expectation] }
        let url = Places.fixtures.appending(path: "expectations.json")
        // An unreadable table shows as no fixtures at all, which a test refuses.
        return (try? JSONDecoder().decode(Document.self, from: Data(contentsOf: url)))?.fixtures ?? []
    }()

    static let outcomes: Set = [
        "succeeded", "failed", "expired", "overran", "exceededCPU", "exceededMemory", "crashed", "exited",
        "unreported", "interrupted", "cancelled", "refused",
    ]
}
