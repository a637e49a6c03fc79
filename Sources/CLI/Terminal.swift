import CLinux
import Glibc
import JSON

/// Where text goes: results to standard output, errors and progress to standard error, colour and moving lines only where
/// somebody watches. A reader that has gone (a closed pipe) ends the printing, not the work.
final class Terminal {
    /// Columns of standard output when it is a terminal.
    let outWidth: Int?
    /// Columns of standard error when it is a terminal.
    let errorWidth: Int?
    private let outIsTerminal: Bool
    /// Why standard output takes nothing more: an errno; nil as long as it does.
    private(set) var lostOutput: Int32?
    private var statusIsShown = false
    /// Lines of a log that nobody made room for.
    private var unwritten = 0

    init() {
        Self.holdStandardDescriptors()
        let width = clinux_tty_width(2)
        errorWidth = width > 0 && getenv("TERM").map { String(cString: $0) } != "dumb" ? Int(width) : nil
        outIsTerminal = isatty(1) == 1
        let columns = clinux_tty_width(1)
        outWidth = outIsTerminal && columns > 0 ? Int(columns) : nil
    }

    var isInteractive: Bool { errorWidth != nil }
    /// Whether results are drawn on a terminal that can be cleared.
    var hasScreen: Bool { outIsTerminal && getenv("TERM").map { String(cString: $0) } != "dumb" }
    var usesColour: Bool { outIsTerminal && getenv("NO_COLOR") == nil }

    /// Writes lines to standard output.
    func print(_ text: String) {
        guard lostOutput == nil else { return }
        lostOutput = Self.write(text + "\n", to: 1)
    }

    func print(_ document: JSONOutput) { print(document.text(outIsTerminal ? .pretty : .compact)) }

    /// Writes bytes as they are.
    func print(raw bytes: [UInt8]) {
        guard lostOutput == nil else { return }
        lostOutput = Self.write(bytes, to: 1)
    }

    /// Writes one line to standard error, without control characters.
    func note(_ text: String) {
        clearStatus()
        _ = Self.write(JSONWriter.printable(text) + "\n", to: 2)
    }

    /// Writes one line of a log to standard error, and never waits for whoever reads it: what a reader that stands still leaves
    /// no room for is not written, and the next line that is says how many were not.
    func log(_ text: String) {
        guard Self.hasRoom(on: 2) else {
            unwritten += 1
            return
        }
        if unwritten > 0 {
            _ = Self.write(
                "taskhost: \(unwritten) lines of this log were not read in time; they are not written\n", to: 2)
            unwritten = 0
            guard Self.hasRoom(on: 2) else { return unwritten += 1 }
        }
        // What poll(2) promises a pipe is room for PIPE_BUF bytes.
        _ = Self.write(
            String(decoding: JSONWriter.printable(text).utf8.prefix(Int(PIPE_BUF) - 4), as: UTF8.self) + "\n", to: 2)
    }

    private static func hasRoom(on number: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    func note(raw bytes: UnsafeRawBufferPointer) {
        clearStatus()
        _ = Self.write(Array(bytes), to: 2)
    }

    /// Shows one line that the next one replaces; nothing when nobody watches.
    func status(_ text: String) {
        guard let errorWidth else { return }
        statusIsShown = true
        _ = Self.write("\r\u{1B}[K" + JSONWriter.printable(text).prefix(errorWidth - 1), to: 2)
    }

    func clearStatus() {
        guard statusIsShown else { return }
        statusIsShown = false
        _ = Self.write("\r\u{1B}[K", to: 2)
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

    /// A number from 0 to 2 that is closed would be taken by the next file that is opened, such as the record of runs, and
    /// text would be written into it. A closed one is held by /dev/null, opened so that writing still fails.
    private static func holdStandardDescriptors() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one: those below are open by now.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        write(Array(text.utf8), to: descriptor)
    }

    /// Writes all of it; the errno when it cannot.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var offset = 0
        while offset < bytes.count {
            // errno is read inside the closure: nothing may run between the call and it.
            let (count, code) = bytes.withUnsafeBytes { buffer in
                (Glibc.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset), errno)
            }
            if count < 0 && code == EINTR { continue }
            guard count >= 0 else { return code }
            offset += count
        }
        return nil
    }
}
