import Control
import JSON
import TaskModel

/// Reads the lines of a run's log: those that there are, or also those that come, until the run ends.
final class LogFollower {
    private let run: ULID
    private let client: any ControlClient
    private let show: (LoggedLine) -> Void
    /// Where the next answer begins.
    private var offset: Int64 = 0
    /// Beginnings of lines, whose rest has not come yet, by stream.
    private var open: [LoggedLine] = []
    /// The host said that there is no more.
    private var isOver = false

    /// - Parameter show: gets each line once it is whole.
    init(_ run: ULID, _ client: any ControlClient, _ show: @escaping (LoggedLine) -> Void) {
        self.run = run
        self.client = client
        self.show = show
    }

    /// Everything that is there; a last line without an end counts as one.
    func readAll() throws(Failure) {
        try read()
        flush()
    }

    /// The same, and what comes. Ends with the run, or when `isWanted` is false.
    ///
    /// - Parameter interrupts: Ctrl-C ends it.
    func follow(_ host: any HostClient, _ interrupts: Interrupts, isWanted: () -> Bool) throws(Failure) {
        var hasNews = false
        // Lines that come fast are fetched together, once the events that are here have been taken.
        try host.follow(inputs: interrupts.inputs, pause: { hasNews ? .zero : nil }) { (signal) throws(Failure) in
            switch signal {
            case .opened, .timeout:
                hasNews = false
                try self.read()
            case .event(let event) where event.run == self.run && event.name == "run.output": hasNews = true
            case .event(let event) where event.run == self.run && event.name == "run.ended":
                try self.read()
                return false
            case .event: break
            case .input: if interrupts.count() > 0 { return false }
            }
            return !self.isOver && isWanted()
        }
        flush()
    }

    private func read() throws(Failure) {
        var hasMore = true
        while hasMore {
            let page = try client.document(
                .readLog, run.description, query: [(name: "offset", value: "\(offset)")])
            for line in page["lines"]?.array ?? [] { take(LoggedLine(line)) }
            let next = page["next"]?.integer
            hasMore = next.map { $0 != offset } ?? false
            isOver = next == nil
            offset = next ?? offset
        }
    }

    private func take(_ line: LoggedLine) {
        var line = line
        if let place = open.firstIndex(where: { $0.stream == line.stream }) {
            let begun = open.remove(at: place)
            line.at = begun.at
            line.text = begun.text + line.text
        }
        if line.isWhole { show(line) } else { open.append(line) }
    }

    private func flush() {
        for line in open { show(line) }
        open = []
    }
}
