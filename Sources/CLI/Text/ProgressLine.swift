/// Shows how far runs are: one line that moves on a terminal, or with `--watch` a line a step elsewhere.
final class ProgressLine {
    private let terminal: Terminal
    let isOn: Bool
    private let watches: Bool
    /// The last line for each run's name, without a terminal.
    private var shares: [String: Int] = [:]

    init(_ terminal: Terminal, isOn: Bool, watches: Bool) {
        self.terminal = terminal
        self.isOn = isOn
        self.watches = watches
    }

    func show(_ name: String, completed: Int64, total: Int64, note: String) {
        guard isOn else { return }
        let text = ProgressBar.text(name, completed: completed, total: total, note: note)
        if terminal.isInteractive {
            terminal.status(text)
        } else if watches {
            // A line for each percent, or for each report of those that know no end.
            let share = ProgressBar.share(completed, of: total)
            if let share, shares.updateValue(share, forKey: name) == share { return }
            terminal.note(text)
        }
    }
}
