import JSON
import Linux

/// The output of the program: results go to standard output, errors and progress to standard error, color and changing lines
/// only to a terminal. A closed pipe ends the printing, not the work.
final class Terminal {
    /// Columns of standard output when it is a terminal.
    let outWidth: Int?
    /// Columns of standard error when it is a terminal.
    let errorWidth: Int?
    private let outIsTerminal: Bool
    /// Why standard output takes nothing more; nil as long as it does.
    private(set) var lostOutput: Errno?
    private var statusIsShown = false
    /// Log lines that could not be written.
    private var unwritten = 0

    init() {
        StandardStream.holdClosed()
        errorWidth = Self.isDumb ? nil : StandardStream.error.columns
        outIsTerminal = StandardStream.output.isTerminal
        outWidth = outIsTerminal ? StandardStream.output.columns : nil
    }

    var isInteractive: Bool { errorWidth != nil }
    /// Whether results are drawn on a terminal that can be cleared.
    var hasScreen: Bool { outIsTerminal && !Self.isDumb }
    var usesColour: Bool { outIsTerminal && ThisProcess.variable("NO_COLOR") == nil }
    private static var isDumb: Bool { ThisProcess.variable("TERM") == "dumb" }

    /// Writes lines to standard output.
    func print(_ text: String) {
        guard lostOutput == nil else { return }
        lostOutput = Self.write(text + "\n", to: .output)
    }

    func print(_ document: JSONOutput) { print(document.text(outIsTerminal ? .pretty : .compact)) }

    /// Writes bytes as they are.
    func print(raw bytes: [UInt8]) {
        guard lostOutput == nil else { return }
        lostOutput = Self.write(bytes, to: .output)
    }

    /// Writes one line to standard error, without control characters.
    func note(_ text: String) {
        clearStatus()
        _ = Self.write(JSONWriter.printable(text) + "\n", to: .error)
    }

    /// Writes one log line to standard error without blocking: a line that does not fit is dropped, and the next one reports
    /// the number of dropped lines.
    func log(_ text: String) {
        guard StandardStream.error.hasRoom else {
            unwritten += 1
            return
        }
        if unwritten > 0 {
            _ = Self.write(
                "taskhost: \(unwritten) lines of this log were not read in time; they are not written\n", to: .error)
            unwritten = 0
            guard StandardStream.error.hasRoom else { return unwritten += 1 }
        }
        // What poll(2) promises a pipe is room for PIPE_BUF bytes.
        _ = Self.write(
            String(decoding: JSONWriter.printable(text).utf8.prefix(StandardStream.atOnce - 4), as: UTF8.self) + "\n",
            to: .error)
    }

    func note(raw bytes: [UInt8]) {
        clearStatus()
        _ = Self.write(bytes, to: .error)
    }

    /// Shows one line that the next one replaces; nothing without a terminal.
    func status(_ text: String) {
        guard let errorWidth else { return }
        statusIsShown = true
        _ = Self.write("\r\u{1B}[K" + JSONWriter.printable(text).prefix(errorWidth - 1), to: .error)
    }

    func clearStatus() {
        guard statusIsShown else { return }
        statusIsShown = false
        _ = Self.write("\r\u{1B}[K", to: .error)
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
