import JSON
import Linux

/// The whole terminal, redrawn as a whole, with its keys and what signals want of it. `leave` restores everything.
final class Screen {
    /// What has happened to it.
    enum News: Equatable {
        case key(TerminalKey)
        /// Its size is another, or the process goes on after a stop.
        case redraw
        /// The user, or whoever sends signals, wants the end.
        case end
    }

    private let keyboard = TerminalInput()
    private var keysTaken: TerminalKeys?
    /// Keys whose rest has not come yet.
    private var pending: [UInt8] = []
    /// nil when no descriptor is left: then the signals have their usual effect.
    private let signals: SignalQueue? = try? SignalQueue([
        .SIGINT, .SIGTERM, .SIGHUP, .SIGQUIT, .SIGTSTP, .SIGCONT, .SIGWINCH,
    ])

    init() {
        takeKeys()
        enter()
    }

    /// Keys that cannot be read stay the terminal's.
    private func takeKeys() { keysTaken = keyboard.number == nil ? nil : TerminalKeys() }

    private func enter() { write("\u{1B}[?1049h\u{1B}[?25l") }

    func leave() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        keysTaken?.giveBack()
    }

    /// Where keys and signals come from.
    var inputs: [Int32] {
        let keys = keyboard.number.map { [$0] } ?? []
        return switch signals {
        case .some(let signals): keys + [signals.descriptor.number]
        case .none: keys
        }
    }

    /// What has come from one of the inputs.
    func news(from input: Int32) -> [News] { input == keyboard.number ? keys() : signalled() }

    private func keys() -> [News] {
        switch keyboard?.read(256) {
        case .typed(let bytes):
            pending += bytes
            return TerminalKey.take(from: &pending).map(News.key)
        case .end: return [.end]
        case .nothing, nil: return []
        }
    }

    private func signalled() -> [News] {
        var news: [News] = []
        while let signal = signals?.next() {
            switch signal {
            case .SIGWINCH: news.append(.redraw)
            case .SIGTSTP:
                leave()
                // SIGTSTP itself waits in the queue; a stop is a stop for the shell. It ends with SIGCONT, which comes next.
                try? ProcessHandle(opening: ThisProcess.pid).signal(.SIGSTOP)
            case .SIGCONT:
                // The shell had the terminal meanwhile.
                takeKeys()
                enter()
                news.append(.redraw)
            default: news.append(.end)
            }
        }
        return news
    }

    /// Its size as it is now.
    var width: Int { max(20, StandardStream.output.columns ?? 0) }
    var height: Int { max(5, StandardStream.output.rows ?? 0) }

    /// Draws as many of the lines as fit, each cut at the edge.
    ///
    /// - Parameter marked: the line that is shown in reverse; nil: none.
    func draw(_ lines: [String], marked: Int? = nil) {
        let width = width
        var picture = "\u{1B}[H"
        for (number, line) in lines.prefix(height - 1).enumerated() {
            let text = JSONWriter.printable(line).clipped(to: width)
            picture += (number == marked ? "\u{1B}[7m\(text)\u{1B}[0m" : text) + "\u{1B}[K\r\n"
        }
        write(picture + "\u{1B}[J")
    }

    private func write(_ text: String) { try? StandardStream.output.write(text) }
}
