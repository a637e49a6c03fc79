import Control
import JSON
import Linux
import TaskModel

/// `taskhost transfers [show | add | pause | resume | cancel]`
enum TransfersVerb: Verb {
    static let name = "transfers"
    static let summary = "background transfers: list, show, add, pause, resume, cancel"
    static let help = """
        usage: taskhost transfers [--for APP] [--all] [--once | --watch]
               taskhost transfers show ID
               taskhost transfers add URL --for APP [--header 'NAME: VALUE']… [--sha256 HEX] [--wait]
               taskhost transfers pause ID… | resume ID… | cancel ID…

        Lists the transfers that are not over, or whose end their application has not acknowledged, newest first; with
        --all also past ones. On a terminal each has a progress bar, updated until q or Ctrl-C; --once draws it once.
        Without a terminal it prints a table, or with --watch a line for each change; with --watch --json a document for
        each.

        add downloads a file into an application's cache folder, under its manifest's rules and at once, without any
        call to the application. --wait shows a progress bar until the transfer is over; after Ctrl-C the transfer
        continues. Headers are kept only in the record and never shown, but other users can see a running command's
        arguments.

        pause pauses a transfer until resume, and keeps the bytes that have arrived. cancel ends it, and its application
        receives the error -999. With several ids each has a line, an error with one does not affect the others, and the
        exit status is the largest.

        exit status of add --wait: 0 the file is complete, and the server's status is below 400 · 1 it failed, also
        because the application's permissions do not grant the server · 16 it was cancelled, or continues after Ctrl-C ·
        17 the host refuses it · 69 no host serves this state folder, or it ended
        """
    static let options: [Option] = [
        .valued("--for", "APP", "the application"), .flag("--all", "also past transfers"),
        .valued("--limit", "N", "how many transfers (default 100)"), .flag("--once", "draw once, and end"),
        .flag("--watch", "print each change"), .flag("--wait", "of add: wait until it is over"),
        .valued("--header", "'NAME: VALUE'", "of add: a field of the request (repeatable)", repeatable: true),
        .valued("--sha256", "HEX", "of add: the digest that the file must have"),
        .utc, .manifests, .state, .config, .json,
    ]

    /// What only some of its words take.
    private static let taken: [(option: String, words: [String?])] = [
        ("--for", [nil, "add"]), ("--all", [nil]), ("--limit", [nil]), ("--once", [nil]), ("--watch", [nil]),
        ("--wait", ["add"]), ("--header", ["add"]), ("--sha256", ["add"]),
    ]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let word = arguments.words.first
        let words = ["show", "add", "pause", "resume", "cancel"]
        if let word, !words.contains(word) {
            throw .unknownWord(
                word, of: name, known: words, "write one of \(words.joined(separator: ", ")), or nothing")
        }
        for (option, words) in taken where arguments.has(option) && !words.contains(word) {
            throw .usage(
                "\(option) is for something else; \((["taskhost transfers"] + [word].compactMap { $0 }).joined(separator: " ")); "
                    + "it goes with \(words.map { $0 ?? "the list" }.joined(separator: " and ")), see taskhost transfers --help"
            )
        }
        switch word {
        case "show": return try show(arguments, terminal)
        case "add": return try AddedTransfer.add(arguments, terminal)
        case let word?: return try change(arguments, word, terminal)
        case nil: return try TransferList.run(arguments, terminal)
        }
    }

    private static func show(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        guard arguments.words.count == 2 else {
            throw .usage("one transfer is needed; taskhost transfers show; write its id, see taskhost transfers")
        }
        let client = try HostAccess.openAny(arguments, terminal, looks: true, manifests: .ifAny)
        let transfer = try client.document(.showTransfer, try id(arguments.words[1]))
        terminal.print(JSONOutput(transfer), or: TransferText.facts(transfer, terminal), for: arguments)
        return ExitStatus.success
    }

    private static func change(_ arguments: Arguments, _ word: String, _ terminal: Terminal) throws(Failure) -> Int32 {
        let routes: [String: Route] = [
            "pause": .pauseTransfer, "resume": .resumeTransfer, "cancel": .cancelTransfer,
        ]
        guard let route = routes[word], arguments.words.count > 1 else {
            throw .usage("a transfer is needed; taskhost transfers \(word); write its id, see taskhost transfers")
        }
        let ids = try arguments.words.dropFirst().map { (text) throws(Failure) in try id(text) }
        let client = try HostAccess.openAny(arguments, terminal, manifests: .ifAny)
        var changed: [JSONValue] = []
        var status = ExitStatus.success
        for id in ids {
            do throws(Failure) {
                let transfer = try client.document(route, id)
                changed.append(transfer)
                if !arguments.isJSON {
                    terminal.print(TransferText.sentence(transfer, terminal.times, isCancelled: word == "cancel"))
                }
            } catch {
                // The others are not affected.
                terminal.note("taskhost: \(error.sentence)")
                status = max(status, error.status)
            }
        }
        if arguments.isJSON { terminal.print(.object(["transfers": .array(changed.map { JSONOutput($0) })])) }
        return status
    }

    /// A text that is not a number must not become part of a path.
    private static func id(_ text: String) throws(Failure) -> String {
        guard let id = Int64(text), id > 0 else {
            throw .usage("this is not a transfer's id; \(text); write the number that taskhost transfers shows")
        }
        return "\(id)"
    }
}
