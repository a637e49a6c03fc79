import Control
import JSON
import Linux
import TaskModel

/// A transfer's document in words.
enum TransferText {
    private static let cells = 20

    static func isOver(_ transfer: JSONValue) -> Bool {
        ["ended", "delivered"].contains(transfer["state"]?.string)
    }

    /// Its state: `running`, `waits for a network`, `tries again at 2026-03-01 13:00:09 +01:00, in 12 s`, `failed: timedOut`.
    ///
    /// - Parameter isShort: of a time only how far off it is: `tries again in 12 s`.
    static func standing(_ transfer: JSONValue, _ times: ShownTimes, isShort: Bool = false) -> String {
        let state = transfer["state"]?.string ?? "-"
        if isOver(transfer) {
            guard let error = transfer["error"]?.string else {
                if let status = transfer["status"]?.integer, status >= 400 { return "answered with status \(status)" }
                return "done"
            }
            return error == "cancelled" ? "cancelled" : "failed: \(error)"
        }
        guard let reason = transfer["waitsFor"]?.string else { return state }
        let words = waits[reason] ?? "waits: \(reason)"
        guard let time = transfer.time("waitsUntil") else { return words }
        let rest = TimeSpan.seconds((time - Clock.moment().time).nanoseconds / 1_000_000_000)
        let isAhead = rest > .zero
        if isShort { return isAhead ? "\(words)\(reason == "backoff" ? " in" : ",") \(rest)" : words }
        return "\(words) \(reason == "backoff" ? "at" : "until") \(times.text(time))" + (isAhead ? ", in \(rest)" : "")
    }

    private static let waits = [
        "suspended": "not resumed by its application", "person": "paused", "applicationMissing": "its manifest is gone",
        "date": "waits for its date", "delay": "waits for its application's turn", "backoff": "tries again",
        "answer": "waits for its application's answer", "sleep": "waits for the machine to wake",
        "network": "waits for a network", "unmeteredNetwork": "waits for an unmetered network",
        "power": "waits for power", "lowPower": "waits for the end of low power mode",
        "window": "waits for an open window", "disk": "waits for room on the disk",
        "perHost": "waits for a connection to its host", "concurrency": "waits for others to end",
        "notServed": "waits for a daemon",
    ]

    static func colour(of transfer: JSONValue) -> Terminal.Colour {
        guard isOver(transfer) else { return transfer["state"]?.string == "running" ? .green : .yellow }
        return transfer["error"]?.string == nil && (transfer["status"]?.integer ?? 0) < 400 ? .green : .red
    }

    // MARK: How far

    /// Bytes transferred in its direction.
    static func done(_ transfer: JSONValue) -> Int64 {
        (transfer["kind"]?.string == "upload" ? transfer["sent"] : transfer["received"])?.integer ?? 0
    }

    /// Such as `12.3 MiB of 40 MiB`.
    static func amount(_ transfer: JSONValue) -> String {
        let done = size(done(transfer))
        guard let total = transfer["total"]?.integer else { return done }
        return isOver(transfer) && transfer["error"]?.string == nil ? size(total) : "\(done) of \(size(total))"
    }

    static func rate(_ transfer: JSONValue) -> String {
        transfer["rate"]?.integer.map { size($0) + "/s" } ?? "-"
    }

    /// Time left at its rate; nil if unknown.
    static func left(_ transfer: JSONValue) -> TimeSpan? {
        guard let rate = transfer["rate"]?.integer, rate > 0, let total = transfer["total"]?.integer else { return nil }
        let rest = max(0, total - done(transfer))
        return .seconds(rest / rate + (rest % rate == 0 ? 0 : 1))
    }

    private static func size(_ bytes: Int64) -> String { ByteCount(bytes: UInt64(max(0, bytes))).description }

    /// Such as `40 %`; empty if the total is unknown.
    static func percent(_ transfer: JSONValue) -> String {
        ProgressBar.share(done(transfer), of: transfer["total"]?.integer ?? 0).map { "\($0) %" } ?? ""
    }

    /// Such as `[########------------] 40 %`; only blank space if the total is unknown.
    static func bar(_ transfer: JSONValue) -> String {
        guard let share = ProgressBar.share(done(transfer), of: transfer["total"]?.integer ?? 0) else {
            return "[" + String(repeating: " ", count: cells) + "]    - "
        }
        return ProgressBar.bar(share, cells: cells) + " " + ProgressBar.percent(share)
    }

    // MARK: One

    /// Such as `transfer 12 of com.example.photos: running, 40 % of https://example.com/a.zip`.
    ///
    /// - Parameter isCancelled: the user has just cancelled it, and the attempt is being stopped.
    static func sentence(_ transfer: JSONValue, _ times: ShownTimes, isCancelled: Bool = false) -> String {
        let standing = isCancelled && !isOver(transfer) ? "is being cancelled" : standing(transfer, times)
        let share = ProgressBar.share(done(transfer), of: transfer["total"]?.integer ?? 0).map { ", \($0) %" }
        return "transfer \(ListCell.text(transfer["id"])) of \(ListCell.text(transfer["application"])): "
            + "\(standing)\(isOver(transfer) ? "" : share ?? ""); \(ListCell.text(transfer["url"]))"
    }

    /// One line that the next one replaces. The least important parts are omitted first when the width, in columns, is
    /// too small.
    static func status(_ transfer: JSONValue, _ times: ShownTimes, width: Int) -> String {
        let (amount, share) = (amount(transfer), percent(transfer))
        let rate = transfer["rate"]?.integer == nil ? "" : rate(transfer)
        let left = left(transfer).map { "\($0) left" } ?? ""
        let isRunning = transfer["state"]?.string == "running"
        let (short, long) = isRunning ? ("", "") : (standing(transfer, times, isShort: true), standing(transfer, times))
        let choices: [[String]] = [
            [bar(transfer), amount, rate, left, long], [bar(transfer), amount, rate, left, short],
            [share, amount, rate, left, short], [share, amount, rate, short], [share, amount, short], [share, short],
        ]
        var line = ""
        for parts in choices {
            line = parts.filter { !$0.isEmpty }.joined(separator: "  ")
            if line.cells <= width { break }
        }
        return line
    }

    static func facts(_ transfer: JSONValue, _ terminal: Terminal) -> String {
        var facts = Facts()
        func text(_ key: String) -> String? {
            let text = terminal.times.cell(transfer[key])
            return text == "-" ? nil : text
        }
        facts.add("transfer", text("id"))
        facts.add("application", text("application"))
        facts.add("session", "\(text("session") ?? "-"), task \(text("task") ?? "-")")
        facts.add("kind", text("kind"))
        facts.add("URL", text("url"))
        facts.add("file", text("source"))
        facts.add("state", standing(transfer, terminal.times)) { terminal.coloured($0, colour(of: transfer)) }
        facts.add("progress", "\(bar(transfer))  \(amount(transfer))")
        facts.add("rate", transfer["rate"]?.integer == nil ? nil : rate(transfer))
        facts.add("left", left(transfer)?.description)
        facts.add("attempts", text("attempts"))
        facts.add("HTTP status", text("status"))
        facts.add("address", text("address"))
        facts.add("next try", text("nextTry"))
        facts.add("last fault", text("lastFault"))
        facts.add("created", text("createdAt"))
        facts.add("ended", text("endedAt"))
        facts.add("error", text("error").map { "\($0) (\(text("errorCode") ?? "-"))" })
        facts.add("cancelled by", text("cancelReason"))
        facts.add("because", text("sentence"))
        facts.add(transfer["kind"]?.string == "upload" ? "answer" : "finished file", text("file"))
        return facts.text
    }
}
