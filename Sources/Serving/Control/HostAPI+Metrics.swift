import Control
import Linux
import TaskModel

extension HostAPI {
    /// How long a portion may occupy the turn.
    private static let metricsPortion = TimeSpan.milliseconds(1)

    /// Answers with all metrics, at once when a portion is enough.
    func answerMetrics(_ exchange: Exchange) throws(Problem) {
        let form = MetricsForm(accept: exchange.request.accept)
        let report = MetricsReport(self, form)
        try longAnswers.begin(for: exchange) { () throws(Problem) in
            let end = Clock.moment().instant + Self.metricsPortion
            guard let text = try PastAPI.reading(report.write(until: end)) else { return .more }
            exchange.reply(text, contentType: form.contentType)
            return .passedOn
        }
    }
}
