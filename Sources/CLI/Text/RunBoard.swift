import Control
import JSON
import TaskModel

/// Several runs that go on at once: which they are, how much of its budget each has left, and whose each line of output is.
struct RunBoard {
    /// Of a line that does not end.
    private static let longestLine = 64 << 10

    private struct Run {
        var name: String
        /// Of its wall-clock time; nil: none, or not known.
        var budget: TimeSpan?
        var startedAt: Timestamp?
        var isWarned = false
        var progress: JSONValue?
        /// Beginnings of lines, by stream.
        var open: [(stream: String, bytes: [UInt8])] = []
    }

    private var runs: [ULID: Run] = [:]
    private let order: [ULID]
    private let width: Int

    /// - Parameter budgets: of wall-clock time, by task.
    init(_ started: [StartedRun], budgets: [String: TimeSpan]) {
        order = started.map(\.id)
        let identifiers = started.map(\.identifier)
        for (id, identifier) in zip(order, identifiers) {
            let last = identifier.split(separator: ".").last.map(String.init) ?? identifier
            let isAlone = ShortName.matches(last, among: identifiers).count == 1
            runs[id] = Run(name: JSONWriter.printable(isAlone ? last : identifier), budget: budgets[identifier])
        }
        width = runs.values.map(\.name.cells).max() ?? 0
    }

    mutating func take(_ event: HostEvent, of run: ULID) {
        switch event.name {
        case "run.started": runs[run]?.startedAt = event.data.time("at")
        case "run.expired": runs[run]?.isWarned = true
        case "run.progress": runs[run]?.progress = event.data
        case "run.ended": runs[run]?.startedAt = nil
        default: break
        }
    }

    /// The lines that are whole by now, each behind the name of its task.
    mutating func lines(of event: HostEvent, _ run: ULID) -> [UInt8] {
        guard let name = runs[run]?.name, let text = event.data["text"]?.string else { return [] }
        let stream = event.data["stream"]?.string ?? ""
        var bytes: [UInt8] = []
        if let place = runs[run]?.open.firstIndex(where: { $0.stream == stream }) {
            bytes = runs[run]?.open.remove(at: place).bytes ?? []
        }
        bytes += text.utf8
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let rest = lines.popLast() ?? []
        if rest.count > Self.longestLine {
            lines.append(rest)
        } else if !rest.isEmpty {
            runs[run]?.open.append((stream, Array(rest)))
        }
        return lines.flatMap { line($0, name) }
    }

    /// What a run began to print, and does not end any more.
    mutating func rest(of run: ULID) -> [UInt8] {
        guard let ended = runs[run] else { return [] }
        runs[run]?.open = []
        return ended.open.flatMap { line($0.bytes[...], ended.name) }
    }

    private func line(_ text: ArraySlice<UInt8>, _ name: String) -> [UInt8] {
        Array((name.padded(to: width) + " | ").utf8) + text + [0x0A]
    }

    /// A line for each run that goes on; of more than `most` the others are counted.
    func status(at now: Timestamp, most: Int) -> [String] {
        let lines = order.compactMap { id -> String? in
            guard let run = runs[id], let started = run.startedAt else { return nil }
            let time = max(.zero, now - started)
            var parts = [run.name.padded(to: width), Self.seconds(time)]
            if run.isWarned {
                parts.append("is warned")
            } else if let budget = run.budget {
                parts.append("\(Self.seconds(max(.zero, budget - time))) left")
            }
            if let progress = run.progress {
                parts.append(ProgressBar.text("", progress).trimmingPrefix("  ").description)
            }
            return parts.joined(separator: "  ")
        }
        guard lines.count > most else { return lines }
        return lines.prefix(max(0, most - 1)) + ["and \(lines.count - max(0, most - 1)) more"]
    }

    private static func seconds(_ span: TimeSpan) -> String { "\(TimeSpan.seconds(span.nanoseconds / 1_000_000_000))" }
}
