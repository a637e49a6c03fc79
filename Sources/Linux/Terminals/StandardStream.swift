import CLinux
import Glibc

/// The descriptors that a process starts with. They are everybody's, and stay open. `EBADF` is an answer here and no defect:
/// whoever started the program closed one, or opened it for the other direction alone.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case input, output, error

    package var number: Int32 { rawValue }

    /// What is there, `most` bytes at most; none at the end.
    package func read(_ most: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try count("read") { bytes.withUnsafeMutableBytes { Glibc.read(rawValue, $0.baseAddress, most) } }
        bytes.removeLast(most - count)
        return bytes
    }

    /// Writes all of it, and waits where the reader does.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try count("write") {
                rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            }
            rest.removeFirst(written)
        }
    }

    private func count(_ name: String, _ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let count = call()
            let code = Errno(errno)
            if count >= 0 { return count }
            guard code == .EINTR else { throw SystemError(name, code: code) }
        }
    }

    package func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Whether it takes something at once: a pipe at least `atOnce` bytes.
    package var hasRoom: Bool { Descriptor.isReady(rawValue, .writable) }
    package static let atOnce = Int(PIPE_BUF)

    package var isTerminal: Bool { isatty(rawValue) == 1 }
    /// Of the terminal, as they are now; nil: it is none.
    package var columns: Int? { Self.size(clinux_tty_width(rawValue)) }
    package var rows: Int? { Self.size(clinux_tty_height(rawValue)) }

    private static func size(_ count: Int32) -> Int? { count > 0 ? Int(count) : nil }

    /// A number that is closed would be taken by the next file that is opened, such as the record of runs, and text would be
    /// written into it. A closed one is held by /dev/null, opened so that writing still fails.
    package static func holdClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one: those below are open by now.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
