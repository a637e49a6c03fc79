import JSON

/// What a fleet shows of a host: the column `status`.
package struct FleetStanding: Sendable, Equatable {
    /// Of each list, in bytes: a status has room for 64 KiB (`taskhost.seen`). Tasks beyond it are left out.
    private static let room = 15_000

    /// The identifiers of its tasks.
    package var installs: [String]
    /// Those of them of which a request could start now.
    package var ready: Set<String>
    /// The gates (`Gate`) that hold requests of others, by identifier.
    package var held: [String: String]
    /// The machine's conditions that are known: the word for the value of each (`ConditionName`), by its name.
    package var conditions: [String: String]
    /// The SHA-256 sums of the manifests that it has from the fleet, in hexadecimal digits, by application; nil: it takes none.
    package var rollouts: [String: String]?

    package init(
        installs: [String], ready: [String], held: [(identifier: String, gate: String)] = [],
        conditions: [String: String] = [:], rollouts: [String: String]? = nil
    ) {
        self.rollouts = rollouts
        self.conditions = conditions
        self.installs = installs
        self.ready = Set(ready)
        self.held = Dictionary(held.map { ($0.identifier, $0.gate) }) { first, _ in first }
    }

    /// Of a host of any version: what it does not say is empty.
    init(_ text: String) {
        let document = try? JSONParser.parse(text, maximumBytes: 1 << 17)
        func list(_ key: String) -> [String] { document?[key]?.array?.compactMap(\.string) ?? [] }
        self.init(installs: list("installs"), ready: list("ready"))
        func map(_ key: String) -> [String: String]? {
            guard case .object(let members)? = document?[key]?.content else { return nil }
            return members.reduce(into: [:]) { $0[$1.key] = $1.value.string }
        }
        (held, conditions, rollouts) = (map("held") ?? [:], map("conditions") ?? [:], map("rollouts"))
    }

    var text: String {
        var members: [JSONOutput.Member] = [
            .init("installs", Self.list(installs)), .init("ready", Self.list(ready.sorted())),
            .init("held", Self.map(held)), .init("conditions", Self.map(conditions)),
        ]
        if let rollouts { members.append(.init("rollouts", Self.map(rollouts))) }
        return JSONOutput.object(members).text()
    }

    var conditionsJSON: JSONOutput { Self.map(conditions) }

    private static func map(_ pairs: [String: String]) -> JSONOutput {
        .object(
            fitting(pairs.sorted { $0.key < $1.key }) { $0.key.utf8.count + $0.value.utf8.count }
                .map { .init($0.key, .string($0.value)) })
    }

    private static func list(_ identifiers: [String]) -> JSONOutput {
        .array(fitting(identifiers, \.utf8.count).map { .string($0) })
    }

    /// The first of them for which there is room.
    private static func fitting<Element>(_ list: [Element], _ bytes: (Element) -> Int) -> some Sequence<Element> {
        var left = room
        return list.prefix { element in
            // With quotes, colon, comma and spaces.
            left -= bytes(element) + 8
            return left >= 0
        }
    }
}
