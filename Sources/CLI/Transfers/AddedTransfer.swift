import Control
import JSON
import Linux
import TaskModel

/// `taskhost transfers add`, and the wait for its result.
enum AddedTransfer {
    /// The pause between two queries of its progress.
    private static let pause = TimeSpan.milliseconds(500)

    static func add(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let body = try body(arguments)
        guard arguments.has("--wait") else {
            let client = try HostAccess.openAny(arguments, terminal, starts: true)
            let transfer = try client.document(.addTransfer, body: body)
            report(transfer, arguments, terminal)
            return ExitStatus.success
        }
        // Without a daemon it would not begin.
        let client = try HostAccess.open(arguments)
        var known: Int64?
        let transfer: JSONValue
        do throws(Failure) {
            transfer = try follow(client, body, arguments, terminal, &known)
        } catch {
            guard error.status == ExitStatus.unreachable, let known else { throw error }
            terminal.clearStatus()
            throw Failure(
                error.status,
                "no host serves this state; transfer \(known) of \(arguments.value("--for") ?? "-"); "
                    + "it continues when one serves: taskhost serve")
        }
        report(transfer, arguments, terminal)
        return status(of: transfer)
    }

    private static func body(_ arguments: Arguments) throws(Failure) -> JSONOutput {
        guard arguments.words.count == 2 else {
            throw .usage("one URL is needed; taskhost transfers add; write it, and --for APP")
        }
        guard let application = arguments.value("--for") else {
            throw .usage("an application is needed; taskhost transfers add; write --for APP, see taskhost list")
        }
        var members: [JSONOutput.Member] = [
            .init("application", .string(application)), .init("url", .string(arguments.words[1])),
        ]
        var headers: [JSONOutput.Member] = []
        for text in arguments.all("--header") {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard parts.count == 2, !name.isEmpty,
                !headers.contains(where: { $0.key.lowercased() == name.lowercased() })
            else {
                // The value may be a secret: it is not repeated here.
                throw .usage(
                    "--header does not take this; \(name); write each name once, as 'NAME: VALUE'")
            }
            headers.append(.init(name, .string(String(parts[1].drop { $0 == " " }))))
        }
        if !headers.isEmpty { members.append(.init("headers", .object(headers))) }
        if let digest = arguments.value("--sha256") { members.append(.init("sha256", .string(digest))) }
        return .object(members)
    }

    private static func report(_ transfer: JSONValue, _ arguments: Arguments, _ terminal: Terminal) {
        if arguments.isJSON {
            terminal.print(JSONOutput(transfer))
        } else {
            let file = transfer["file"]?.string.map { "; \($0)" }
            terminal.print(TransferText.sentence(transfer, terminal.times) + (file ?? ""))
            if let sentence = transfer["sentence"]?.string { terminal.note("taskhost: \(sentence)") }
        }
    }

    // MARK: Waiting

    private static func follow(
        _ client: any HostClient, _ body: JSONOutput, _ arguments: Arguments, _ terminal: Terminal,
        _ known: inout Int64?
    ) throws(Failure) -> JSONValue {
        let interrupts = Interrupts()
        var transfer: JSONValue?
        var isLeft = false
        func isDone() -> Bool { isLeft || transfer.map(TransferText.isOver) == true }
        try client.follow(inputs: interrupts.inputs, pause: { terminal.isInteractive ? pause : nil }) {
            (signal) throws(Failure) in
            switch signal {
            case .opened, .timeout:
                if let id = transfer?["id"]?.integer {
                    transfer = try client.document(.showTransfer, "\(id)")
                } else {
                    transfer = try client.document(.addTransfer, body: body)
                    known = transfer?["id"]?.integer
                }
            case .event(let event):
                guard event.name.hasPrefix("transfer."), let id = transfer?["id"]?.integer,
                    event.data["id"]?.integer == id
                else { return true }
                transfer = event.data
            case .input: isLeft = interrupts.count() > 0
            }
            if let transfer, !arguments.isJSON { show(transfer, terminal) }
            return !isDone()
        }
        terminal.clearStatus()
        guard let transfer else { throw HostAccess.notServed(try Places.state(arguments)) }
        if isLeft, !TransferText.isOver(transfer) {
            terminal.note(
                "taskhost: the transfer continues; \(ListCell.text(transfer["url"])); "
                    + "see it with: taskhost transfers show \(ListCell.text(transfer["id"]))")
        }
        return transfer
    }

    private static func show(_ transfer: JSONValue, _ terminal: Terminal) {
        guard let width = terminal.errorWidth else { return }
        terminal.status(TransferText.status(transfer, terminal.times, width: width - 1))
    }

    private static func status(of transfer: JSONValue) -> Int32 {
        guard TransferText.isOver(transfer) else { return Outcome.interrupted.exitStatus }
        switch transfer["error"]?.string {
        case nil: return (transfer["status"]?.integer ?? 0) < 400 ? ExitStatus.success : Outcome.failed.exitStatus
        case TransferError.cancelled.name: return Outcome.cancelled.exitStatus
        default: return Outcome.failed.exitStatus
        }
    }
}
