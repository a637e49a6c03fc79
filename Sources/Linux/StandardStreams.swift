import CLinux
import Glibc

/// What this process prints, and what the C library holds back of it.
package enum StandardStreams {
    /// Makes the C library flush its stdout at every line, pipe or not.
    package static func lineBuffer() { clinux_line_buffer_stdout() }

    /// Writes out what is held back. A stream whose lock another thread keeps for longer than 10 ms is left as it is.
    package static func flush() { clinux_flush_output() }

    /// Writes to standard error with one call, past what is held back; where that is closed, to standard output.
    package static func tell(_ bytes: [UInt8]) {
        if Glibc.write(2, bytes, bytes.count) < 0 { _ = Glibc.write(1, bytes, bytes.count) }
    }
}
