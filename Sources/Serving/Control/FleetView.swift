import Control
import Fleet
import Host
import JSON
import TaskModel

/// Answers who asks for the fleet as a whole. Who asks while the database is being asked gets the same answer: however many look,
/// one question is under way. Thread: the loop's.
final class FleetView {
    /// Who waits for an answer.
    private static let most = 64

    /// It is a source of the host's loop, which has it as long as it has the API.
    private unowned let claims: PostgresClaims
    private let host: String
    private let now: () -> Timestamp
    private var waiting: [Exchange] = []
    private var last: (at: Timestamp, overview: FleetOverview)?

    /// - Parameter host: the name of this one in the fleet.
    init(_ claims: PostgresClaims, host: String, now: @escaping () -> Timestamp) {
        self.claims = claims
        self.host = host
        self.now = now
    }

    /// Later, with what the database says now; without an answer of it, with what it said last.
    func answer(_ exchange: Exchange) throws(Problem) {
        guard waiting.count < Self.most else { throw .tooBusy }
        waiting.append(exchange)
        guard waiting.count == 1 else { return }
        claims.overview { [weak self] in self?.take($0) }
    }

    private func take(_ overview: FleetOverview?) {
        if let overview { last = (now(), overview) }
        let document = FleetDocument.json(last?.overview, at: last?.at, isReached: overview != nil, host: host)
        let exchanges = waiting
        waiting.removeAll()
        for exchange in exchanges { exchange.reply(document) }
    }

    /// As `PostgresClaims.oldestRequests`.
    func oldestRequests(of identifiers: [String], _ answer: @escaping ([String: Double]?) -> Void) {
        claims.oldestRequests(of: identifiers, answer)
    }
}
