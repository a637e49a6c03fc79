import Control
import Fleet
import JSON
import Record
import TaskModel

/// What a fleet has, as tables and documents.
enum FleetLists {
    static func hosts(_ hosts: [FleetHostRow], _ arguments: Arguments, _ terminal: Terminal) {
        var table = TextTable(
            ["HOST", "STATE", "LEASES", "SEEN", "VERSION", "LABELS"], right: ["LEASES"], whole: ["HOST", "STATE"])
        for host in hosts {
            table.add([
                host.name, host.isDraining ? host.state + ", draining" : host.state, "\(host.leases)",
                host.seen.map { terminal.times.near($0) } ?? "-", host.version, labels(host.labels),
            ])
        }
        terminal.print(
            .object([.init("hosts", .array(hosts.map(\.json)))]),
            or: hosts.isEmpty
                ? "no host has joined yet; write \"fleet\" into a host's configuration and start taskhost serve"
                : table.text(width: terminal.outWidth), for: arguments)
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
        var table = TextTable(
            ["REQUEST", "TOKEN", "IDENTIFIER", "OUTCOME", "HOST", "CLAIMED", "ENDED", "COUNTS"], right: ["TOKEN"],
            whole: ["REQUEST", "OUTCOME"], ends: ["IDENTIFIER"])
        for run in runs {
            table.add([
                run.token.key.description, "\(run.token.number)", run.identifier, run.outcome, run.host,
                run.claimed.map { terminal.times.near($0) } ?? "-", run.ended.map { terminal.times.near($0) } ?? "-",
                run.isAccepted ? "yes" : "no",
            ])
        }
        terminal.print(
            .object([.init("runs", .array(runs.map(\.json)))]),
            or: runs.isEmpty ? "the fleet has run nothing yet" : table.text(width: terminal.outWidth), for: arguments)
    }

    private static func labels(_ text: String) -> String {
        guard case .object(let members)? = (try? JSONParser.parse(text, maximumBytes: 1 << 16))?.content else {
            return "-"
        }
        let pairs = members.map { "\($0.key)=\($0.value.string ?? "")" }
        return pairs.isEmpty ? "-" : pairs.joined(separator: " ")
    }
}
