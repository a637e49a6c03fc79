import JSON

/// What a fleet shows of a host: the column `status`.
package struct FleetStanding: Sendable, Equatable {
    /// As many identifiers as a status of 64 KiB has room for in any case.
    package static let most = 200

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
            .init("installs", .array(installs.prefix(Self.most).map { .string($0) })),
            .init("ready", .array(ready.prefix(Self.most).map { .string($0) })),
        ]).text()
    }
}
