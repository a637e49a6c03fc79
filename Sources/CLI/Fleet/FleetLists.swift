import Control
import Fleet
import JSON
import Record
import TaskModel

/// What a fleet has, as tables and documents.
enum FleetLists {
    /// - Parameter leased: what they hold.
    static func hosts(
        _ hosts: [FleetHostRow], _ leased: [FleetRequestRow], _ arguments: Arguments, _ terminal: Terminal
    ) {
        let held = Dictionary(grouping: leased) { $0.host ?? "" }.mapValues { $0.map(\.identifier).sorted() }
        var table = TextTable(
            ["HOST", "STATE", "LEASES", "SEEN", "VERSION", "LABELS", "CONDITIONS", "HOLDS"], right: ["LEASES"],
            whole: ["HOST", "STATE"])
        for host in hosts {
            table.add([
                host.name, host.isDraining ? host.state + ", draining" : host.state, "\(host.leases)",
                host.seen.map { terminal.times.near($0) } ?? "-", host.version, labels(host.labels),
                conditions(host.standing.conditions), held[host.name]?.joined(separator: " ") ?? "-",
            ])
        }
        let documents = hosts.map { host in
            host.json(holding: held[host.name] ?? [])
        }
        terminal.print(
            .object([.init("hosts", .array(documents))]),
            or: hosts.isEmpty
                ? "no host has joined yet; write \"fleet\" into a host's configuration and start taskhost serve"
                : table.text(width: terminal.outWidth), for: arguments)
    }

    /// Those that differ most from host to host; the documents have all.
    private static func conditions(_ conditions: [String: String]) -> String {
        let words = [ConditionName.power, .network, .user].compactMap { name in
            conditions[name.word].map { "\(name.word)=\($0)" }
        }
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }

    static func requests(_ requests: [FleetRequestRow], _ arguments: Arguments, _ terminal: Terminal) {
        var table = TextTable(
            ["REQUEST", "IDENTIFIER", "STATE", "HOST", "TRY", "NOT BEFORE", "SUBMITTED"], right: ["TRY"],
            whole: ["REQUEST", "STATE"], ends: ["IDENTIFIER"])
        for request in requests {
            table.add([
                request.key.description, request.identifier, request.outcome ?? request.state, request.host ?? "-",
                "\(request.attempt)", request.free.map { terminal.times.near($0) } ?? "-",
                request.submitted.map { terminal.times.near($0) } ?? "-",
            ])
        }
        terminal.print(
            .object([.init("requests", .array(requests.map(\.json)))]),
            or: requests.isEmpty ? "no request of the fleet is pending" : table.text(width: terminal.outWidth),
            for: arguments)
    }

    static func runs(_ runs: [FleetRunRow], _ arguments: Arguments, _ terminal: Terminal) {
        terminal.print(
            .object([.init("runs", .array(runs.map(\.json)))]),
            or: runs.isEmpty ? "the fleet has run nothing yet" : text(runs, terminal), for: arguments)
    }

    static func text(_ runs: [FleetRunRow], _ terminal: Terminal) -> String {
        let hasNotes = runs.contains { $0.detail.note != nil }
        var table = TextTable(
            ["REQUEST", "TOKEN", "IDENTIFIER", "OUTCOME", "HOST", "CLAIMED", "ENDED", "COUNTS"]
                + (hasNotes ? ["NOTE"] : []), right: ["TOKEN"],
            whole: ["REQUEST", "OUTCOME"], ends: ["IDENTIFIER"])
        for run in runs {
            table.add(
                [
                    run.token.key.description, "\(run.token.number)", run.identifier, run.outcome, run.host,
                    run.claimed.map { terminal.times.near($0) } ?? "-",
                    run.ended.map { terminal.times.near($0) } ?? "-",
                    run.isAccepted ? "yes" : "no",
                ] + (hasNotes ? [run.detail.note ?? "-"] : []))
        }
        return table.text(width: terminal.outWidth)
    }

    /// What the hosts that live install.
    static func tasks(_ hosts: [FleetHostRow], _ arguments: Arguments, _ terminal: Terminal) {
        let live = hosts.filter { $0.state == "live" }
        let identifiers = Set(live.flatMap(\.standing.installs)).sorted()
        var table = TextTable(["IDENTIFIER", "READY ON", "HELD ON"], whole: ["IDENTIFIER"])
        var documents: [JSONOutput] = []
        for identifier in identifiers {
            let owners = live.filter { $0.standing.installs.contains(identifier) }
            let ready = owners.filter { !$0.isDraining && $0.standing.ready.contains(identifier) }
            let held = owners.filter { owner in !ready.contains { $0.name == owner.name } }
            table.add([
                identifier, cell(ready.map(\.name)),
                cell(
                    held.map { "\($0.name) (\($0.isDraining ? "drained" : $0.standing.held[identifier] ?? "never"))" }),
            ])
            documents.append([
                "identifier": .string(identifier),
                "hosts": .array(
                    owners.map { owner in
                        [
                            "name": .string(owner.name), "ready": .bool(ready.contains { $0.name == owner.name }),
                            "gate": JSONOutput(owner.standing.held[identifier]),
                            "draining": .bool(owner.isDraining),
                        ]
                    }),
            ])
        }
        terminal.print(
            .object([.init("tasks", .array(documents))]),
            or: identifiers.isEmpty
                ? "no live host of the fleet installs a task" : table.text(width: terminal.outWidth),
            for: arguments)
    }

    private static func cell(_ words: [String]) -> String { words.isEmpty ? "-" : words.joined(separator: " ") }

    private static func labels(_ text: String) -> String {
        guard case .object(let members)? = (try? JSONParser.parse(text, maximumBytes: 1 << 16))?.content else {
            return "-"
        }
        let pairs = members.map { "\($0.key)=\($0.value.string ?? "")" }
        return pairs.isEmpty ? "-" : pairs.joined(separator: " ")
    }
}
