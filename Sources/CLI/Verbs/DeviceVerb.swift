import Control
import JSON
import Manifests
import TaskModel

/// `taskhost device [set NAME=VALUE… | reset]`
enum DeviceVerb: Verb {
    static let name = "device"
    static let summary = "the machine's conditions, and how to override them"
    static let help = """
        usage: taskhost device
               taskhost device set NAME=VALUE…
               taskhost device reset

        Shows the machine's conditions with their sources. set overrides conditions until reset, also across restarts of
        the host; requests and runs see no difference. The journal records both. sleep=on makes a daemon act as if the
        machine slept: nothing starts, and runs are suspended.

        \(ConditionName.ofMachine.map { "  \($0.word)=\($0.values.joined(separator: "|"))" }.joined(separator: "\n"))
        """
    static let options: [Option] = [.utc, .manifests, .state, .config, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let document: JSONValue
        switch arguments.words.first {
        case nil:
            let client = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny)
            document = try client.document(.showDevice)
        case "set":
            let values = try values(arguments.words.dropFirst())
            document = try HostAccess.openAny(arguments, terminal, manifests: .ifAny).document(
                .overrideDevice, body: .object(values))
        case "reset":
            guard arguments.words.count == 1 else {
                throw .usage(
                    "reset takes no names; \(arguments.words[1]); it drops all overrides: write taskhost device reset")
            }
            document = try HostAccess.openAny(arguments, terminal, manifests: .ifAny).document(.resetDevice)
        case let word?:
            throw .unknownWord(word, of: name, known: ["set", "reset"], "write set NAME=VALUE… or reset, or nothing")
        }
        terminal.print(JSONOutput(document), or: text(document, terminal), for: arguments)
        return ExitStatus.success
    }

    /// Everything is checked before anything is sent.
    private static func values(_ words: ArraySlice<String>) throws(Failure) -> [JSONOutput.Member] {
        guard !words.isEmpty else {
            throw .usage("nothing to set; taskhost device set; write NAME=VALUE, such as power=battery")
        }
        var members: [JSONOutput.Member] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let condition = ConditionName.ofMachine.first(where: { $0.word == parts[0] }) else {
                let names = ConditionName.ofMachine.map(\.word)
                throw .usage(
                    "unknown condition \(parts[0]); taskhost device set; "
                        + (Nearest.match(for: parts[0], among: names).map { "did you mean \($0)?" }
                            ?? "choose one of \(names.joined(separator: ", "))"))
            }
            var conditions = DeviceConditions()
            guard parts.count == 2, condition.set(parts[1], in: &conditions) else {
                throw .usage(
                    "\(parts[0]) does not take this; \(word); write \(parts[0])="
                        + condition.values.joined(separator: "|"))
            }
            guard !members.contains(where: { $0.key == parts[0] }) else {
                throw .usage("\(parts[0]) is given twice; taskhost device set; give it once")
            }
            members.append(.init(parts[0], .string(parts[1])))
        }
        return members
    }

    private static func text(_ document: JSONValue, _ terminal: Terminal) -> String {
        var table = TextTable(["CONDITION", "VALUE", "SINCE", "SOURCE"], whole: ["CONDITION", "VALUE"])
        let conditions = document["conditions"]?.object ?? []
        for condition in conditions {
            let isOverridden = condition.value["overridden"]?.bool == true
            table.add([
                condition.key, ListCell.text(condition.value["value"]), terminal.times.cell(condition.value["since"]),
                isOverridden ? "device set" : ListCell.text(condition.value["source"]),
            ])
        }
        let text = table.text(width: terminal.outWidth) { row, column, cell in
            let isOverridden = conditions[row].value["overridden"]?.bool == true
            return column == 1 && isOverridden ? terminal.coloured(cell, .yellow) : cell
        }
        return text + (FleetText.words(document["fleet"], terminal.times).map { "\nthe fleet is \($0)" } ?? "")
    }
}
