import JSON

/// The gates of a task for display.
enum WhyText {
    static func table(_ document: JSONValue, _ times: ShownTimes) -> TextTable {
        var table = TextTable(
            ["  GATE", "VERDICT", "SINCE", "FOUND", "OPENED BY", "NEXT"], whole: ["  GATE", "VERDICT"])
        for gate in document["gates"]?.array ?? [] {
            let mark = gate["holds"]?.bool == true ? "> " : "  "
            table.add([
                mark + ListCell.text(gate["gate"]), ListCell.text(gate["verdict"]), times.nearCell(gate["since"]),
                times.words(ListCell.text(gate["found"])), ListCell.text(gate["opens"]), times.nearCell(gate["next"]),
            ])
        }
        return table
    }
}
