import JSON
import Linux

/// The whole terminal, redrawn as a whole, and its keys one by one. `leave` restores everything.
final class Screen {
    private var keysTaken = TerminalKeys()

    init() {
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func leave() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        keysTaken?.giveBack()
    }

    /// Where keys come from.
    var inputs: [Int32] { keysTaken == nil ? [] : [StandardStream.input.number] }

    /// The keys that were pressed; q at the end of the input.
    func keys() -> [UInt8] {
        let keys = (try? StandardStream.input.read(64)) ?? []
        return keys.isEmpty ? [UInt8(ascii: "q")] : keys
    }

    /// Its columns as they are now.
    var width: Int { max(20, StandardStream.output.columns ?? 0) }

    /// Draws as many of the lines as fit, each cut at the edge.
    func draw(_ lines: [String]) {
        let width = width
        let height = max(5, StandardStream.output.rows ?? 0)
        var picture = "\u{1B}[H"
        for line in lines.prefix(height - 1) { picture += JSONWriter.printable(line).prefix(width) + "\u{1B}[K\r\n" }
        write(picture + "\u{1B}[J")
    }

    private func write(_ text: String) { try? StandardStream.output.write(text) }
}
