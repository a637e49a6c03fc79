import JSON

/// What a fleet shows of a host: the column `status`.
package struct FleetStanding: Sendable, Equatable {
    /// Of each list, in bytes: a status has room for 64 KiB (`taskhost.seen`). Identifiers beyond it are left out.
    private static let room = 30_000

    /// The identifiers of its tasks.
    package var installs: [String]
    /// Those of them of which a request could start now.
    package var ready: [String]

    package init(installs: [String], ready: [String]) {
        self.installs = installs
        self.ready = ready
    }

    /// Of a host of any version: what it does not say is empty.
    init(_ text: String) {
        let document = try? JSONParser.parse(text, maximumBytes: 1 << 17)
        func list(_ key: String) -> [String] { document?[key]?.array?.compactMap(\.string) ?? [] }
        self.init(installs: list("installs"), ready: list("ready"))
    }

    var text: String {
        JSONOutput.object([
            .init("installs", Self.list(installs)), .init("ready", Self.list(ready)),
        ]).text()
    }

    private static func list(_ identifiers: [String]) -> JSONOutput {
        var left = Self.room
        return .array(
            identifiers.prefix { identifier in
                // With its quotes, a comma and a space.
                left -= identifier.utf8.count + 4
                return left >= 0
            }.map { .string($0) })
    }
}
