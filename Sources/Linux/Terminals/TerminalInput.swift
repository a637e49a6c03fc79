import Glibc

/// What a user types on a terminal, read without waiting, through an open file description of its own: that of the shell stays as it is.
///
/// Ctrl-C drops what was typed before it (`NOFLSH` in termios(3)), also between the poll that found a line and the read that
/// takes it. A read that waits would then wait for another line, while the signal waits in a queue that nobody reads.
package struct TerminalInput: ~Copyable, Sendable {
    /// Readable when there is something to read, and when the terminal hung up.
    package let descriptor: Descriptor

    /// nil: it is not a terminal, or one that this user may not open.
    ///
    /// - Parameter number: of a descriptor of the terminal, which is lent.
    package init?(of number: Int32 = StandardStream.input.number) {
        guard isatty(number) == 1 else { return nil }
        let flags: OpenFlags = [.O_RDONLY, .O_NONBLOCK, .O_NOCTTY]
        // After `su` it belongs to another user; the terminal that this process was started from may be opened even so (tty(4)).
        let own = (try? Descriptor.open("/proc/self/fd/\(number)", flags)) ?? (try? Descriptor.open("/dev/tty", flags))
        guard let own else { return nil }
        descriptor = own
    }

    /// What there is to read.
    package enum News: Equatable, Sendable {
        case typed([UInt8])
        /// A key that sends a signal dropped it.
        case nothing
        /// The terminal hung up, or another job has it and SIGTTIN is ignored.
        case end
    }

    /// What was typed, `most` bytes at most.
    package borrowing func read(_ most: Int) -> News {
        do throws(SystemError) {
            let bytes = try descriptor.read(most)
            return bytes.isEmpty ? .end : .typed(bytes)
        } catch {
            return error.code == .EAGAIN ? .nothing : .end
        }
    }
}

extension Optional where Wrapped == TerminalInput {
    /// What becomes readable, when there is a terminal.
    package var number: Int32? {
        switch self {
        case .some(let input): input.descriptor.number
        case .none: nil
        }
    }
}
