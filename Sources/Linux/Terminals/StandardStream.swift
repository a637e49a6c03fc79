import CLinux
import Glibc

/// The descriptors that a process starts with. They are shared, and stay open. `EBADF` is an answer here and not a defect:
/// the parent closed one, or opened it only for the other direction.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, error

    package var number: Int32 { rawValue }

    /// Available bytes, `most` at most; none at the end.
    package func read(_ most: Int) throws(SystemError) -> [UInt8] {
        try unsafe Descriptor.bytes("read", isOurs: false, most: most) { unsafe Glibc.read(rawValue, $0, most) }
    }

    /// Writes all of it, and waits where the reader does.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try Descriptor.count("write", isOurs: false) {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            }
            rest.removeFirst(written)
        }
    }

    package func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Whether it takes something at once: a pipe at least `atOnce` bytes.
    package var hasRoom: Bool { Descriptor.isReady(rawValue, .writable) }
    package static let atOnce = Int(PIPE_BUF)

    package var isTerminal: Bool { isatty(rawValue) == 1 }
    /// Of the terminal, as they are now; nil: it is none.
    package var columns: Int? { size.map { $0.ws_col > 0 ? Int($0.ws_col) : 80 } }
    package var rows: Int? { size.map { $0.ws_row > 0 ? Int($0.ws_row) : 24 } }

    private var size: winsize? {
        var size = winsize()
        return unsafe clinux_tty_size(rawValue, &size) == 0 ? size : nil
    }

    /// The next opened file, such as the record of runs, would get the number of a closed one, and text would be written
    /// into it. /dev/null takes the place of a closed one, opened so that writing still fails.
    package static func holdClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one: those below are open by now.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    // MARK: What the C library holds back of them

    /// Makes the C library flush its stdout at every line, pipe or not.
    package static func lineBuffer() { clinux_line_buffer_stdout() }

    /// Writes out what is held back. A stream whose lock another thread keeps for longer than 10 ms is left as it is.
    package static func flush() { clinux_flush_output() }

    /// Writes to standard error with one call, past what is held back; where that is closed, to standard output.
    package static func tell(_ bytes: [UInt8]) {
        if unsafe Glibc.write(2, bytes, bytes.count) < 0 { _ = unsafe Glibc.write(1, bytes, bytes.count) }
    }

    /// Writes to standard output and to standard error, past what is held back: who reads them from two pipes learns the place in each.
    package static func tellBoth(_ bytes: [UInt8]) {
        for stream in 1...2 as ClosedRange<Int32> { _ = unsafe Glibc.write(stream, bytes, bytes.count) }
    }
}
