import Foundation
import JSON
import Manifests
import TaskModel
import Testing

/// The table of conditions, and what follows from it.
@Suite struct ConditionTableTests {
    @Test(arguments: ConditionName.allCases) func `Each row is that of its name`(name: ConditionName) {
        #expect(ConditionName.allCases[name.index] == name)
        #expect(name.condition.name == name)
        #expect(Condition.of(name.condition.gate)?.name == name)
        let condition = name.condition
        #expect(!condition.kinds.isEmpty, "some kind minds it")
        #expect(condition.requiredWith == nil || condition.requirement == nil)
        for text in [condition.meaning, condition.source, condition.changes, condition.opens(1)] {
            #expect(!text.isEmpty)
        }
    }

    @Test func `No two conditions share a gate, a key or a reason`() {
        for values in [
            Condition.all.map(\.gate.name), Condition.all.compactMap(\.requirement?.key),
            Condition.all.compactMap(\.reason?.name),
        ] {
            #expect(Set(values).count == values.count)
        }
    }

    @Test(arguments: ConditionName.ofMachine) func `Its words say its values, and no other word does`(
        name: ConditionName
    ) {
        var conditions = DeviceConditions()
        for word in name.values.map({ $0 == "0…100" ? "54" : $0 }) {
            #expect(name.set(word, in: &conditions))
            #expect(name.text(in: conditions) == word)
        }
        let before = conditions
        for word in ["", "junk", "101", "-1", "Yes"] { #expect(!name.set(word, in: &conditions), "\(word)") }
        #expect(conditions == before)
    }

    @Test(arguments: ConditionName.ofMachine) func `What is unknown holds who asks for it, and ends no run`(
        name: ConditionName
    ) {
        var nothing = DeviceConditions()
        for name in ConditionName.ofMachine { #expect(name.set(name == .battery ? "none" : "unknown", in: &nothing)) }
        let condition = name.condition
        if !condition.minders.isEmpty { #expect(!condition.holds(nothing, 0)) }
        #expect(!condition.isLost(nothing, 1))
        guard let form = condition.requirement, !form.isWaiver, name != .user else { return }
        #expect(condition.holds(nothing, .max) && condition.found(nothing) == nil)
    }

    @Test func `A set of requirements keeps the level of each condition`() {
        var requirements = Requirements()
        let names = Condition.ofMachine.filter { $0.requirement != nil }.map(\.name)
        for (number, name) in names.enumerated() { requirements[name] = UInt64(number + 1) }
        #expect(names.map { requirements[$0] } == names.indices.map { UInt64($0 + 1) })
        var other = Requirements()
        other[names[0]] = 7
        #expect(requirements.union(other)[names[0]] == 7 && requirements.union(other)[names[1]] == 2)
    }

    @Test func `A waiver takes a condition, and those that come with it, away from who asks for it`() {
        var waived = Requirements()
        waived[.battery] = 1
        for name in [ConditionName.battery, .lowPower] {
            #expect(name.condition.level(for: .processing, Requirements()) == 0)
            #expect(name.condition.level(for: .processing, waived) == nil)
            #expect(name.condition.level(for: .processing, waived.union(Requirements())) == nil)
        }
        #expect(ConditionName.thermal.condition.level(for: .processing, waived) == 0)
    }

    /// Numbers that records hold: none of them may change or be given again.
    @Test func `Gates keep their numbers, whatever the order in which they are looked at`() {
        let numbers = [
            "manifest": 1, "forceQuit": 2, "backgroundRefresh": 3, "firstUnlock": 4, "earliestBeginDate": 5,
            "backoff": 6, "externalPower": 7, "batteryLevel": 8, "lowPowerMode": 9, "network": 10, "idle": 11,
            "cpuPressure": 12, "memoryPressure": 13, "thermal": 14, "quarantine": 15, "quota": 16, "overlap": 17,
            "kindCapacity": 18, "capacity": 19, "revision": 20, "diskSpace": 21, "shortage": 22, "foreground": 23,
            "paths": 24, "changed": 25, "sleep": 26, "window": 27,
        ]
        for (name, number) in numbers { #expect(Gate(rawValue: UInt8(number))?.name == name) }
        #expect(Set(Gate.allCases.map(\.rawValue)).count == Gate.allCases.count)
        #expect(Gate.allCases.sorted() == Gate.allCases)
        #expect(Gate.foreground < Gate.diskSpace && Gate.manifest < Gate.forceQuit)
    }

    // MARK: What is written elsewhere

    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: Condition.all.compactMap(\.requirement).map(\.key)) func `The schema says what can be asked for`(
        key: String
    ) throws {
        let schema = try JSONParser.parse(Array(Self.text("manifests/schema.json").utf8), maximumBytes: 1 << 20)
        let form = try #require(Condition.all.compactMap(\.requirement).first { $0.key == key })
        let found = try #require(schema["$defs"]?["requires"]?["properties"]?[key]).compactText
        let expected = Self.schema(of: form).text()
        #expect(found == expected, "write this into manifests/schema.json: \"\(key)\": \(expected)")
    }

    private static func schema(of form: RequirementForm) -> JSONOutput {
        let defaults = TaskKind.allCases.filter(form.defaults.contains).map(\.name).joined(separator: " and ")
        let description = form.meaning + (defaults.isEmpty ? "" : " Default: true for \(defaults), else false.")
        var members: [JSONOutput.Member] = [.init("description", .string(description))]
        switch form.values {
        case .flag: members.append(.init("type", "boolean"))
        case .words(let words):
            members.append(.init("enum", .array([false, true] + words.map { .string($0.word) })))
        case .size:
            members.append(.init("$ref", "#/$defs/size"))
            return .object(members)
        case .patterns:
            members.append(.init("type", "array"))
            members.append(.init("maxItems", .integer(Int64(ManifestLimits.patterns))))
            members.append(.init("items", .object([.init("$ref", "#/$defs/path")])))
            return .object(members)
        }
        if defaults.isEmpty { members.append(.init("default", false)) }
        return .object(members)
    }

    private static let tables: [(name: String, rows: [String])] = [
        (
            "gates",
            ["| condition | gate | open when | kinds | reason when lost |", "|---|---|---|---|---|"]
                + Condition.all.sorted { $0.gate < $1.gate }.map { condition in
                    "| `\(condition.name.word)` | `\(condition.gate.name)` | \(condition.meaning)"
                        + (condition.minders.isEmpty ? ", if asked for" : "")
                        + " | \(condition.kinds.words) | \(condition.reason.map { "`\($0.name)`" } ?? "") |"
                }
        ),
        (
            "sources",
            ["| condition | values | source | learns of changes by |", "|---|---|---|---|"]
                + Condition.all.map { condition in
                    let words = condition.name.values.map { "`\($0)`" }.joined(separator: ", ")
                    let values = condition.isOfMachine ? words : "of each task"
                    return "| `\(condition.name.word)` | \(values) | \(condition.source) | \(condition.changes) |"
                }
        ),
        (
            "requires",
            ["| key | values | default | met when |", "|---|---|---|---|"]
                + Condition.all.compactMap(\.requirement).map { form in
                    let values =
                        switch form.values {
                        case .flag: "boolean"
                        case .words(let words):
                            (["boolean"] + words.map { "`\($0.word)`" }).joined(separator: ", ")
                        case .size: "size"
                        case .patterns: "paths"
                        }
                    let defaults = TaskKind.allCases.filter(form.defaults.contains).map { "`\($0.name)`" }
                    let other = defaults.isEmpty ? "" : "`true` for \(defaults.joined(separator: " and ")), else "
                    let none = ["size", "paths"].contains(values) ? "none" : "`false`"
                    return "| `\(form.key)` | \(values) | \(other)\(none) | \(form.meaning) |"
                }
        ),
    ]

    @Test(arguments: tables.map(\.name)) func `The document has the table`(name: String) throws {
        let table = try #require(Self.tables.first { $0.name == name })
        let lines = try Self.text("Documentation/Conditions.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        let mark = try #require(lines.firstIndex(of: "<!-- table: \(name) -->"))
        let found = lines[(mark + 1)...].prefix { $0.hasPrefix("|") }.map(String.init)
        #expect(
            found == table.rows,
            "write this into Documentation/Conditions.md:\n\(table.rows.joined(separator: "\n"))")
    }
}
