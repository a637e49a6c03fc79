import Fleet
import JSON
import TaskModel

/// `why ID --fleet`: which hosts could have a request, and what holds it.
enum FleetWhy {
    static func print(_ word: String, _ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let session = try FleetOption.open(arguments, terminal)
        let (requests, hosts) = try FleetOption.reading { () throws(FleetError) in
            (try session.requests(of: word, all: ULID(word) != nil, limit: 200), try session.hosts())
        }
        if ULID(word) != nil, requests.isEmpty {
            throw Failure(
                ExitStatus.fault, "no such request; \(word) in \(session.place); see taskhost pending --fleet")
        }
        let identifier = requests.first?.identifier ?? word
        let standings = hosts.map { (host: $0, words: words(of: $0, identifier)) }
        guard !arguments.isJSON else {
            return terminal.print(
                .object([
                    .init("identifier", .string(identifier)), .init("requests", .array(requests.map(\.json))),
                    .init(
                        "hosts",
                        .array(
                            standings.map { standing in
                                [
                                    "name": .string(standing.host.name), "state": .string(standing.host.state),
                                    "standing": .string(standing.words),
                                    "gate": JSONOutput(standing.host.standing.held[identifier]),
                                ]
                            })),
                ]))
        }
        terminal.print(summary(identifier, requests, hosts, terminal))
        guard !hosts.isEmpty else { return }
        var table = TextTable(["HOST", "STATE", "THIS TASK"], whole: ["HOST", "STATE"])
        for standing in standings { table.add([standing.host.name, standing.host.state, standing.words]) }
        terminal.print(table.text(width: terminal.outWidth))
    }

    private static func words(of host: FleetHostRow, _ identifier: String) -> String {
        guard host.state == "live" else { return "the host is away" }
        if host.isDraining { return "the host gets no new requests; taskhost fleet resume \(host.name)" }
        if host.standing.ready.contains(identifier) { return "could start now" }
        guard host.standing.installs.contains(identifier) else { return "not installed" }
        return host.standing.held[identifier].map { "held by \($0); taskhost why \(identifier) there says more" }
            ?? "never for the fleet: a person or the host itself begins it"
    }

    private static func summary(
        _ identifier: String, _ requests: [FleetRequestRow], _ hosts: [FleetHostRow], _ terminal: Terminal
    ) -> String {
        guard let request = requests.last else { return "no request of \(identifier) is pending in the fleet" }
        let live = hosts.filter { $0.state == "live" }
        switch request.state {
        case "leased": return "\(identifier) is with host \(request.host ?? "unknown")"
        case "ended": return "\(identifier) has ended: \(request.outcome ?? "unknown")"
        case "quarantined":
            return "\(identifier) is in quarantine: \(request.losses) hosts in a row went silent with it; SELECT "
                + "taskhost.release('\(request.key.uuid)') in the database has it wait again, taskhost cancel \(request.key) "
                + "--fleet ends it"
        default:
            guard !live.isEmpty else { return "\(identifier) waits: no host of the fleet lives" }
            guard live.contains(where: { $0.standing.installs.contains(identifier) }) else {
                return "\(identifier) waits: no live host installs it"
            }
            return request.free.map { "\(identifier) waits; not before \(terminal.times.near($0))" }
                ?? "\(identifier) waits"
        }
    }
}
