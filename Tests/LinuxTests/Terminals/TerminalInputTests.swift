import Glibc
import Linux
import TestSupport
import Testing

@Suite("What a user types")
struct TerminalInputTests {
    /// A pseudo-terminal, with the side of whoever types and that of the program.
    private final class Terminal {
        private var master: Int32 = -1
        private(set) var program: Int32 = -1

        init() throws {
            guard openpty(&master, &program, nil, nil, nil) == 0 else { throw Problem("openpty") }
        }

        deinit {
            close(program)
            hangUp()
        }

        func hangUp() {
            if master >= 0 { close(master) }
            master = -1
        }

        func type(_ text: String) { _ = write(master, text, text.utf8.count) }
    }

    private func read(_ input: borrowing TerminalInput) -> TerminalInput.News { input.read(256) }

    private func isReady(_ input: borrowing TerminalInput) -> Bool {
        var source = pollfd(fd: input.descriptor.number, events: Int16(POLLIN), revents: 0)
        var patience = Patience()
        return patience.poll(&source)
    }

    /// Waits for it.
    private func news(_ input: borrowing TerminalInput) -> TerminalInput.News {
        _ = isReady(input)
        return read(input)
    }

    @Test("a line that Ctrl-C dropped after it was announced is not waited for")
    func dropped() throws {
        let terminal = try Terminal()
        guard let input = TerminalInput(of: terminal.program) else { throw Problem("it is a terminal") }
        terminal.type("x\n\n")
        #expect(news(input) == .typed(Array("x\n".utf8)))
        let isAnnounced = isReady(input)
        #expect(isAnnounced)
        terminal.type("\u{3}")
        // The kernel looks at what was typed in its own time.
        var patience = Patience()
        while input.descriptor.isReady(.readable), patience.milliseconds() != nil { usleep(1000) }
        #expect(read(input) == .nothing)
        terminal.type("y\n")
        #expect(news(input) == .typed(Array("y\n".utf8)))
    }

    @Test("the description that was lent waits as before, and a hang-up is an end")
    func ends() throws {
        let terminal = try Terminal()
        guard let input = TerminalInput(of: terminal.program) else { throw Problem("it is a terminal") }
        #expect(fcntl(terminal.program, F_GETFL) & O_NONBLOCK == 0)
        #expect(read(input) == .nothing)
        terminal.hangUp()
        // A process of another test may have it for a moment longer.
        #expect(news(input) == .end)
    }

    @Test("what is no terminal has none")
    func none() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        switch TerminalInput(of: file) {
        case .some: Issue.record("/dev/null is no terminal")
        case .none: break
        }
    }
}
