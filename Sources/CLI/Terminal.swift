import JSON
import Linux

/// The output of the program: results go to standard output, errors and progress to standard error, color and changing lines
/// only to a terminal. A closed pipe ends the printing, not the work.
final class Terminal {
    /// How times are shown: the same for everything that a verb prints.
    var times = ShownTimes()
    private let outIsTerminal: Bool
    /// Why standard output takes nothing more; nil as long as it does.
    private(set) var lostOutput: Errno?
    /// Called once, before the next bytes for standard output: their reader may let this program wait for as long as it likes.
    var willPrint: (() -> Void)?
    /// Whether anything was written to standard output.
    private(set) var hasPrinted = false
    /// Lines that the next ones replace.
    private var statusLines = 0

    init() {
        StandardStream.holdClosed()
        outIsTerminal = StandardStream.output.isTerminal
    }

    /// Columns of standard output when it is a terminal; the variable COLUMNS goes before what the terminal says.
    var outWidth: Int? { StandardStream.output.columns.map { Self.wantedColumns ?? $0 } }
    /// Columns of standard error when it is a terminal that can move lines.
    var errorWidth: Int? { Self.isDumb ? nil : StandardStream.error.columns.map { Self.wantedColumns ?? $0 } }

    private static var wantedColumns: Int? {
        ThisProcess.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    var isInteractive: Bool { errorWidth != nil }
    /// Whether what applications print is shown to a terminal, which would obey it.
    var isObeying: Bool { outIsTerminal }
    /// Whether results are drawn on a terminal that can be cleared.
    var hasScreen: Bool { outIsTerminal && !Self.isDumb }
    /// Whether results go to a terminal that can only take line after line.
    var isDumbTerminal: Bool { outIsTerminal && Self.isDumb }
    var usesColour: Bool { outIsTerminal && !Self.isDumb && (ThisProcess.variable("NO_COLOR") ?? "").isEmpty }
    private static var isDumb: Bool { ThisProcess.variable("TERM") == "dumb" }

    /// Writes lines to standard output.
    func print(_ text: String) { print(raw: Array((text + "\n").utf8)) }

    func print(_ document: JSONOutput) { print(document.text(outIsTerminal ? .pretty : .compact)) }

    /// A verb's result: the document with `--json`, else the text.
    func print(_ document: JSONOutput, or text: @autoclosure () -> String, for arguments: Arguments) {
        if arguments.isJSON { print(document) } else { print(text()) }
    }

    /// Says which rows of a list cannot be read, each with a clause of its own, and what is wrong with the record's pages.
    func note(unreadable rows: [String], damage: String?) {
        for row in rows { note("a row of the record cannot be read; \(row); the others are listed") }
        if let damage { note("the record is damaged; \(damage); restore a backup, or go on without what stands there") }
    }

    /// The same for the document of a list.
    func note(unreadableOf document: JSONValue) {
        note(
            unreadable: document["unreadable"]?.array?.compactMap(\.string) ?? [], damage: document["damage"]?.string)
    }

    /// A list: the document with `--json`, else the table, or a note if it is empty. Rows that cannot be read are said.
    func print(_ document: JSONValue, or table: TextTable, ifEmpty note: String, for arguments: Arguments) {
        self.note(unreadableOf: document)
        if arguments.isJSON {
            print(JSONOutput(document))
        } else if table.isEmpty {
            self.note(note)
        } else {
            print(table.text(width: outWidth))
        }
    }

    /// Writes bytes as they are.
    func print(raw bytes: [UInt8]) {
        guard lostOutput == nil else { return }
        willPrint.take()?()
        hasPrinted = true
        lostOutput = Self.write(bytes, to: .output)
    }

    /// Writes one line to standard error, without control characters.
    func note(_ text: String) {
        clearStatus()
        _ = Self.write(JSONWriter.printable(text) + "\n", to: .error)
    }

    func note(raw bytes: [UInt8]) {
        clearStatus()
        _ = Self.write(bytes, to: .error)
    }

    /// Shows one line that the next one replaces; nothing without a terminal.
    func status(_ text: String) { status([text]) }

    /// The same for several lines.
    func status(_ lines: [String]) {
        guard let errorWidth, !lines.isEmpty else { return clearStatus() }
        let text = lines.map { JSONWriter.printable($0).clipped(to: errorWidth - 1) }.joined(separator: "\n")
        let erasure = erasure
        statusLines = lines.count
        _ = Self.write(erasure + text, to: .error)
    }

    func clearStatus() {
        guard statusLines > 0 else { return }
        _ = Self.write(erasure, to: .error)
        statusLines = 0
    }

    /// Clears the lines from the last to the first, where the cursor stays.
    private var erasure: String {
        "\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: max(0, statusLines - 1))
    }

    func coloured(_ text: String, _ colour: Colour) -> String {
        usesColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
        case dim = 2
    }

    private static func write(_ text: String, to stream: StandardStream) -> Errno? {
        write(Array(text.utf8), to: stream)
    }

    /// Writes all of it; why, when it cannot.
    private static func write(_ bytes: [UInt8], to stream: StandardStream) -> Errno? {
        do throws(SystemError) {
            try stream.write(bytes)
            return nil
        } catch {
            return error.code
        }
    }
}
