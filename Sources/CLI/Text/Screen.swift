import CLinux
import Glibc
import JSON

/// The whole terminal, drawn anew as a picture, and its keys one by one. Everything is put back by `leave`.
final class Screen {
    private var before = termios()
    private let keysAreTaken: Bool

    init() {
        keysAreTaken = tcgetattr(0, &before) == 0
        if keysAreTaken {
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(0, TCSANOW, &raw)
        }
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func leave() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        if keysAreTaken { tcsetattr(0, TCSANOW, &before) }
    }

    /// Where keys come from.
    var inputs: [Int32] { keysAreTaken ? [0] : [] }

    /// The keys that were pressed; q at the end of the input.
    func keys() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(0, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : [UInt8(ascii: "q")]
    }

    /// Its columns as they are now.
    var width: Int { max(20, Int(clinux_tty_width(1))) }

    /// Draws as many of the lines as there is room for, each cut at the edge.
    func draw(_ lines: [String]) {
        let width = width
        let height = max(5, Int(clinux_tty_height(1)))
        var picture = "\u{1B}[H"
        for line in lines.prefix(height - 1) { picture += JSONWriter.printable(line).prefix(width) + "\u{1B}[K\r\n" }
        write(picture + "\u{1B}[J")
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
