import Control
import JSON
import Linux
import TaskModel

/// `taskhost transfers`: what there are, once or as they move.
enum TransferList {
    /// Between two pictures.
    private static let pause = TimeSpan.milliseconds(500)
    private static let usual = 100

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let query = try query(arguments)
        guard !arguments.has("--watch") || !arguments.has("--once") else {
            throw .usage("--watch and --once say two things; taskhost transfers; leave one of them out")
        }
        let isScreen = terminal.hasScreen && !arguments.isJSON && !arguments.has("--once")
        if arguments.has("--watch") && !isScreen {
            try follow(try HostAccess.open(arguments), query, arguments, terminal)
            return ExitStatus.success
        }
        let client = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny)
        let document = try client.document(.listTransfers, query: query)
        let transfers = document["transfers"]?.array ?? []
        terminal.note(unreadableOf: document)
        if isScreen, try HostAccess.openIfServed(arguments) != nil,
            arguments.has("--watch") || transfers.contains(where: { !TransferText.isOver($0) })
        {
            try draw(client, query, terminal.times)
        } else if arguments.isJSON {
            terminal.print(JSONOutput(document))
        } else if transfers.isEmpty {
            terminal.note(arguments.has("--all") ? "no transfers" : "no open transfers")
        } else {
            terminal.print(
                TransferRows(transfers, terminal.times).text(
                    width: terminal.hasScreen ? terminal.outWidth : nil, terminal))
        }
        return ExitStatus.success
    }

    private static func query(_ arguments: Arguments) throws(Failure) -> [(name: String, value: String)] {
        let limit = try arguments.number("--limit", in: Int(Route.rows.lowerBound)...Int(Route.rows.upperBound))
        var query = [(name: "limit", value: "\(limit ?? usual)")]
        if let application = arguments.value("--for") { query.append(("application", application)) }
        if !arguments.has("--all") { query.append(("open", "true")) }
        return query
    }

    // MARK: Pictures

    private static func draw(
        _ client: any HostClient, _ query: [(name: String, value: String)], _ times: ShownTimes
    ) throws(Failure) {
        let screen = Screen()
        defer { screen.leave() }
        try client.follow(inputs: screen.inputs, pause: { pause }) { (signal) throws(Failure) in
            switch signal {
            case .opened, .timeout:
                let transfers = try client.document(.listTransfers, query: query)["transfers"]?.array ?? []
                let lines =
                    transfers.isEmpty
                    ? ["no open transfers"]
                    : TransferRows(transfers, times).text(width: screen.width).split(separator: "\n").map(String.init)
                screen.draw(lines + ["", "q ends"])
            case .input(let input):
                return !screen.news(from: input).contains { $0 == .end || $0 == .key(.character("q")) }
            case .event: break
            }
            return true
        }
    }

    // MARK: Lines

    /// Their present state, then every change.
    private static func follow(
        _ client: any HostClient, _ query: [(name: String, value: String)], _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) {
        let interrupts = Interrupts()
        let application = arguments.value("--for")
        func show(_ transfer: JSONValue) {
            guard application == nil || application == transfer["application"]?.string else { return }
            let line =
                terminal.times.precise(Clock.moment().time) + "  "
                + JSONWriter.printable(TransferText.sentence(transfer, terminal.times))
            terminal.print(JSONOutput(transfer), or: line, for: arguments)
        }
        try client.follow(inputs: interrupts.inputs) { (signal) throws(Failure) in
            switch signal {
            case .opened:
                for transfer in try client.document(.listTransfers, query: query)["transfers"]?.array ?? [] {
                    show(transfer)
                }
            case .event(let event): if event.name.hasPrefix("transfer.") { show(event.data) }
            case .input: if interrupts.count() > 0 { return false }
            case .timeout: break
            }
            return terminal.lostOutput == nil
        }
    }
}
