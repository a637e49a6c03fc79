import JSON
import TaskModel

/// A transfer's document in words.
enum TransferText {
    private static let cells = 20

    static func isOver(_ transfer: JSONValue) -> Bool {
        ["ended", "delivered"].contains(transfer["state"]?.string)
    }

    /// Where it stands: `running`, `waits for a network`, `failed: timedOut`.
    static func standing(_ transfer: JSONValue) -> String {
        let state = transfer["state"]?.string ?? "-"
        if isOver(transfer) {
            guard let error = transfer["error"]?.string else {
                if let status = transfer["status"]?.integer, status >= 400 { return "answered with status \(status)" }
                return state == "delivered" ? "delivered" : "done"
            }
            return error == "cancelled" ? "cancelled" : "failed: \(error)"
        }
        guard let reason = transfer["waitsFor"]?.string else { return state }
        let until = transfer["waitsUntil"]?.string.flatMap { Timestamp(iso8601: $0) }.map { " until \($0.iso8601)" }
        return (waits[reason] ?? "waits: \(reason)") + (until ?? "")
    }

    private static let waits = [
        "suspended": "not resumed by its application", "person": "paused", "applicationMissing": "its manifest is gone",
        "date": "waits for its date", "delay": "waits for its application's turn", "backoff": "tries again",
        "answer": "waits for its application's answer", "sleep": "waits for the machine to wake",
        "network": "waits for a network", "unmeteredNetwork": "waits for an unmetered network",
        "power": "waits for power", "lowPower": "waits for the end of low power mode",
        "window": "waits for an open window", "disk": "waits for room on the disk",
        "perHost": "waits for a connection to its host", "concurrency": "waits for others to end",
    ]

    static func colour(of transfer: JSONValue) -> Terminal.Colour {
        guard isOver(transfer) else { return transfer["state"]?.string == "running" ? .green : .yellow }
        return transfer["error"]?.string == nil && (transfer["status"]?.integer ?? 0) < 400 ? .green : .red
    }

    // MARK: How far

    /// Bytes that have gone the way that it is about.
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

    /// Time left at its rate; nil when nobody can say.
    static func left(_ transfer: JSONValue) -> TimeSpan? {
        guard let rate = transfer["rate"]?.integer, rate > 0, let total = transfer["total"]?.integer else { return nil }
        let rest = max(0, total - done(transfer))
        return .seconds(rest / rate + (rest % rate == 0 ? 0 : 1))
    }

    private static func size(_ bytes: Int64) -> String { ByteCount(bytes: UInt64(max(0, bytes))).description }

    /// Such as `[########------------]  40 %`; of one that does not say how much there is to do only its room.
    static func bar(_ transfer: JSONValue) -> String {
        guard let share = ProgressBar.share(done(transfer), of: transfer["total"]?.integer ?? 0) else {
            return "[" + String(repeating: " ", count: cells) + "]    - "
        }
        let filled = share * cells / 100
        let percent = String(repeating: " ", count: share < 10 ? 2 : share < 100 ? 1 : 0) + "\(share) %"
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
            + "] \(percent)"
    }

    // MARK: Several

    /// - Parameter hasBars: how far each is, as a bar.
    static func table(_ transfers: [JSONValue], hasBars: Bool, _ terminal: Terminal? = nil) -> String {
        var columns = [("ID", true), ("APPLICATION", false), ("STATE", false)]
        if hasBars { columns.append(("PROGRESS", false)) }
        columns += [("SIZE", true), ("RATE", true), ("LEFT", true), ("URL", false)]
        var table = Table(columns)
        for transfer in transfers {
            var cells = [ListCell.text(transfer["id"]), ListCell.text(transfer["application"]), standing(transfer)]
            if hasBars { cells.append(isOver(transfer) ? "" : bar(transfer)) }
            cells += [
                amount(transfer), rate(transfer), left(transfer)?.description ?? "-", ListCell.text(transfer["url"]),
            ]
            table.add(cells)
        }
        return table.text { row, column, cell in
            column == 2 ? terminal?.coloured(cell, colour(of: transfers[row])) ?? cell : cell
        }
    }

    // MARK: One

    /// Such as `transfer 12 of com.example.photos: running, 40 % of https://example.com/a.zip`.
    static func sentence(_ transfer: JSONValue) -> String {
        let share = ProgressBar.share(done(transfer), of: transfer["total"]?.integer ?? 0).map { ", \($0) %" }
        return "transfer \(ListCell.text(transfer["id"])) of \(ListCell.text(transfer["application"])): "
            + "\(standing(transfer))\(isOver(transfer) ? "" : share ?? ""); \(ListCell.text(transfer["url"]))"
    }

    /// One line that the next one replaces.
    static func status(_ transfer: JSONValue) -> String {
        var parts = [bar(transfer), amount(transfer)]
        if transfer["rate"]?.integer != nil { parts.append(rate(transfer)) }
        if let left = left(transfer) { parts.append("\(left) left") }
        if transfer["state"]?.string != "running" { parts.append(standing(transfer)) }
        return parts.joined(separator: "  ")
    }

    static func facts(_ transfer: JSONValue, _ terminal: Terminal) -> String {
        var facts = Facts()
        func text(_ key: String) -> String? {
            let text = ListCell.text(transfer[key])
            return text == "-" ? nil : text
        }
        facts.add("transfer", text("id"))
        facts.add("application", text("application"))
        facts.add("session", "\(text("session") ?? "-"), task \(text("task") ?? "-")")
        facts.add("kind", text("kind"))
        facts.add("URL", text("url"))
        facts.add("file", text("source"))
        facts.add("state", standing(transfer)) { terminal.coloured($0, colour(of: transfer)) }
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
