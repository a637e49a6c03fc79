import Engine
import Host
import TaskModel

/// The runs in progress by their ids: gathered at the first query, for code that needs many within one turn.
struct ActiveRuns {
    private unowned let host: Host
    private var runs: [ULID: RunHandle]?

    init(_ host: Host) { self.host = host }

    /// A turn is over: runs came and went.
    mutating func forget() { runs = nil }

    mutating func run(withID id: ULID) -> RunHandle? {
        if runs == nil {
            runs = Dictionary(
                host.decider.activeRuns.compactMap { run in host.decider.id(of: run).map { ($0, run) } },
                uniquingKeysWith: { first, _ in first })
        }
        return runs?[id]
    }
}
