import Control
import JSON
import Linux
import PageDoor
import TaskModel

/// `taskhost ui` from its first link to its end: links for whoever presses Enter, and the signals that end it.
final class PageSession {
    private let proxy: PageProxy
    private let loop: PageLoop
    private let arguments: Arguments
    private let terminal: Terminal
    private let signals: SignalQueue
    /// Opens the browser, until it has done so.
    private var opener: ChildProcess?
    private var isOver = false
    private let keyboard = TerminalInput()

    init(_ proxy: PageProxy, _ arguments: Arguments, _ terminal: Terminal) throws(SystemError) {
        self.proxy = proxy
        self.arguments = arguments
        self.terminal = terminal
        loop = try PageLoop(proxy.sources())
        signals = try SignalQueue([.SIGINT, .SIGTERM, .SIGHUP, .SIGCONT])
        loop.watch(signals.descriptor.number)
        // In the background reading fails then, in place of stopping the proxy.
        Signal.ignore(.SIGTTIN)
        watchKeyboard()
    }

    func run() throws(SystemError) {
        let link = printLink()
        if !arguments.has("--no-open") { open(link) }
        defer { loop.close() }
        // A link that nobody sees is no use.
        try loop.run(until: { isOver || proxy.isBesieged || terminal.lostOutput != nil }, news: take)
    }

    /// Prints a link, as a document with `--json`, and what it is good for.
    private func printLink() -> String {
        let link = proxy.makeLink(at: Clock.moment().instant)
        terminal.print(
            [
                "url": .string(link), "port": .integer(Int64(proxy.port)), "readOnly": .bool(proxy.isReadOnly),
            ], or: link, for: arguments)
        if !arguments.isJSON {
            terminal.note(
                "taskhost: the link is good once, for a minute; "
                    + (keyboard.number != nil ? "Enter prints another; " : "") + "Ctrl-C ends this")
        }
        return link
    }

    private func take(_ input: Int32) {
        if input == keyboard.number { return takeKeys() }
        if input == signals.descriptor.number { return takeSignals() }
        takeOpener()
    }

    // MARK: Keyboard and signals

    private func watchKeyboard() {
        if let number = keyboard.number { loop.watch(number) }
    }

    private func takeKeys() {
        switch keyboard?.read(256) {
        case .typed(let bytes): if bytes.contains(UInt8(ascii: "\n")) { _ = printLink() }
        // Nothing more comes from a terminal that hung up, nor while another job has it.
        case .end: if let number = keyboard.number { loop.unwatch(number) }
        case .nothing, nil: break
        }
    }

    private func takeSignals() {
        while let signal = signals.next() {
            // The shell may have given the terminal back.
            if signal == .SIGCONT { watchKeyboard() } else { isOver = true }
        }
    }

    // MARK: Browser

    private func open(_ link: String) {
        do throws(SystemError) {
            opener = try Browser.open(link)
            if let number = opener.number { loop.watch(number) }
        } catch {
            noteUnopened("xdg-open cannot be started: \(error.code)")
        }
    }

    private func takeOpener() {
        guard let number = opener.number, let child = opener.take() else { return }
        loop.unwatch(number)
        guard let end = child.wait(), end.signal != nil || end.status != 0 else { return }
        noteUnopened("xdg-open failed")
    }

    private func noteUnopened(_ clause: String) {
        terminal.note("taskhost: no browser was opened; \(clause); open the link yourself")
    }
}

extension Optional where Wrapped == ChildProcess {
    /// What becomes readable when it ends.
    fileprivate var number: Int32? {
        switch self {
        case .some(let child): child.handle.descriptor.number
        case .none: nil
        }
    }
}
