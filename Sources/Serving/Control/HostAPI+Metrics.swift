import Control
import Host
import Linux
import TaskModel

extension HostAPI {
    /// How long a portion may occupy the turn.
    private static let metricsPortion = TimeSpan.milliseconds(1)

    /// Answers with all metrics, at once when a portion is enough. In a fleet its database is asked first.
    func answerMetrics(_ exchange: Exchange) throws(Problem) {
        guard let fleetView, let fleet = host.fleet else { return try beginMetrics(exchange, []) }
        let identifiers = fleet.standings.prefix(MetricsReport.mostTasks).map(\.identifier)
        fleetView.oldestRequests(of: identifiers) { [weak self] ages in
            let queues = ages.map { ages in
                identifiers.map { MetricsReport.Queue(identifier: $0, age: max(0, ages[$0] ?? 0)) }
            }
            do throws(Problem) { try self?.beginMetrics(exchange, queues ?? []) } catch { exchange.refuse(error) }
        }
    }

    private func beginMetrics(_ exchange: Exchange, _ queues: [MetricsReport.Queue]) throws(Problem) {
        let form = MetricsForm(accept: exchange.request.accept)
        let report = MetricsReport(self, form, queues)
        try longAnswers.begin(for: exchange) { () throws(Problem) in
            let end = Clock.moment().instant + Self.metricsPortion
            guard let text = try PastAPI.reading(report.write(until: end)) else { return .more }
            exchange.reply(text, contentType: form.contentType)
            return .passedOn
        }
    }
}
