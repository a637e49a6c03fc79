import Foundation
import TaskModel
import Testing

/// Tables on terminals of several widths: what they leave out, and what never.
@Suite("A table", .plainBuild)
struct TableTests {
    private static let task = "com.example.notes.export"
    private static let start = Timestamp(nanoseconds: 1_772_366_400_000_000_000)

    /// The lines on a terminal with so many columns; nil: on none.
    private func lines(
        _ words: String, columns: Int?, in folder: Folder, environment: [String: String] = ["TERM": "xterm"]
    ) throws -> [String] {
        let command = "$taskhost \(words)"
        let tool = try Tool.shell(
            columns.map { "script -qec \"stty cols \($0); \(command)\" /dev/null" } ?? command, in: folder,
            environment: environment.merging(["TZ": "UTC"]) { $1 })
        #expect(tool.status == 0, "\(tool)")
        return tool.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    private func plain(_ line: String) -> String { line.replacing(/\u{1B}\[\d*m/, with: "") }

    @Test("fits terminals of 40, 80 and 300 columns; ids and outcomes are whole, and no line ends with spaces")
    func fits() throws {
        let folder = try MadeRuns.folder([Self.start], of: Self.task)
        let id = ULID(at: Self.start, random: (0, 0)).description
        let whole = try lines("history --state state", columns: nil, in: folder)
        for columns in [40, 80, 300] {
            let shown = try lines("history --state state", columns: columns, in: folder).map(plain)
            #expect(shown.allSatisfy { $0.count <= columns && !$0.hasSuffix(" ") }, "\(shown)")
            #expect(shown[1].contains(id) && shown[1].contains("succeeded"), "\(shown)")
            // Columns begin at the same place.
            #expect(
                shown[0].range(of: "OUTCOME")?.lowerBound.utf16Offset(in: shown[0])
                    == shown[1].range(of: "succeeded")?.lowerBound.utf16Offset(in: shown[1]), "\(shown)")
            #expect((shown == whole) == (columns == 300), "\(shown)")
        }
        // An identifier is shortened at its beginning: the end is the short name.
        let narrow = try lines("history --state state", columns: 80, in: folder).map(plain)
        #expect(narrow[1].contains("…") && narrow[1].contains("export"), "\(narrow)")
        #expect(whole[0].contains("ORIGIN") && !narrow[0].contains("ORIGIN"))
    }

    @Test("has the width of COLUMNS where it is set, and none without a terminal")
    func columns() throws {
        let folder = try MadeRuns.folder([Self.start], of: Self.task)
        let whole = try lines("history --state state", columns: nil, in: folder, environment: ["COLUMNS": "40"])
        #expect(whole[0].contains("ORIGIN"))
        let narrow = try lines(
            "history --state state", columns: 300, in: folder, environment: ["COLUMNS": "60", "TERM": "xterm"])
        #expect(narrow.map(plain).allSatisfy { $0.count <= 60 }, "\(narrow)")
    }

    @Test(
        "is plain text on a terminal that is dumb, and with NO_COLOR", arguments: [["TERM": "dumb"], ["NO_COLOR": "1"]])
    func isPlain(_ environment: [String: String]) throws {
        let folder = try MadeRuns.folder([Self.start], of: Self.task)
        let shown = try lines(
            "history --state state", columns: 80, in: folder,
            environment: ["TERM": "xterm"].merging(environment) { $1 })
        #expect(shown.allSatisfy { !$0.contains("\u{1B}") && $0.count <= 80 }, "\(shown)")
        #expect(try lines("history --state state", columns: 80, in: folder)[1].contains("\u{1B}[32m"))
    }

    @Test(
        "counts cells: wide characters have two, marks none",
        arguments: [
            ("A", 1), ("ä", 1), ("a\u{308}", 1), ("日本", 4), ("ｶ", 1), ("Ａ", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
            ("한", 2),
        ])
    func cells(_ text: String, _ count: Int) throws {
        let shown = try lines("config --state state --manifests '\(text)'", columns: nil, in: try Folder())
        let row = try #require(shown.first { $0.hasPrefix("manifests ") }, "\(shown)")
        let value = try #require(shown[0].range(of: "VALUE"))
        let source = try #require(shown[0].range(of: "SOURCE"))
        let room = shown[0].distance(from: value.lowerBound, to: source.lowerBound)
        let cell = try #require(row.range(of: text))
        let end = try #require(row.range(of: "option --manifests"))
        #expect(room - row.distance(from: cell.upperBound, to: end.lowerBound) == count, "\(shown)")
    }
}
