import Control
import Host
import JSON
import Linux
import Manifests
import Record
import Scheduling
import Setting
import TaskModel

// Forecasts: the data are gathered a portion a turn, then a thread plays them.
extension HostAPI {
    /// Of the host's own manifests.
    func forecast(_ exchange: Exchange) throws(Problem) {
        var question = question(days: exchange.query.integer("days"))
        question.wanted = exchange.query.text("identifier").map { [$0] } ?? []
        question.areInstalled = true
        try gather(question, exchange)
    }

    /// With a trace, or of other manifests.
    func playForecast(_ exchange: Exchange) throws(Problem) {
        var question = question(days: exchange.body.integer("days"))
        question.wanted = exchange.body.texts("identifiers") ?? []
        question.trace = exchange.body.text("trace").map { Array($0.utf8) }
        let manifests = exchange.body["manifests"]?.array
        if let manifests { question.applications = try named(manifests) }
        question.areInstalled = manifests == nil
        try gather(question, exchange)
    }

    private func question(days: Int?) -> ForecastQuestion {
        let configuration = host.place.configuration
        return ForecastQuestion(
            start: host.moment.time, length: .seconds(Int64(days ?? 1) * 86_400),
            limits: configuration.schedulerLimits, windows: configuration.windows,
            stateFolder: host.place.state.path)
    }

    /// The client has read and checked them; the host opens none of their files.
    private func named(_ manifests: [JSONValue]) throws(Problem) -> [ForecastQuestion.Application] {
        let profile = host.place.configuration.profile
        return try manifests.enumerated().map { (index, manifest) throws(Problem) in
            let path = "$.manifests[\(index)].text"
            let result = ManifestDecoder.decode(
                bytes: Array((manifest["text"]?.string ?? "").utf8), path: path, folder: "/", profile: profile)
            guard let definition = result.application else {
                throw .badRequest(
                    result.diagnostics.filter { $0.severity == .error }.map {
                        Problem.Fault(
                            path: path + $0.path.dropFirst(), found: $0.found, expected: $0.expected, hint: $0.hint)
                    })
            }
            let isApplication = manifest["isApplication"]?.bool == true
            return ForecastQuestion.Application(
                definition: definition,
                tasks: definition.tasks + (isApplication ? EventTasks.tasks(of: definition, profile) : []))
        }
    }

    // MARK: The host's data

    private func gather(_ question: ForecastQuestion, _ exchange: Exchange) throws(Problem) {
        let forecaster = try takeForecaster()
        var gathering = try PastAPI.reading(ForecastGathering(question, host, opened: startedAt))
        try longAnswers.begin(for: exchange) { () throws(Problem) in
            guard try PastAPI.reading(gathering.step(until: Clock.moment().instant + Self.portion)) else {
                return .more
            }
            try forecaster.ask(gathering.question, for: exchange)
            return .passedOn
        }
    }

    /// Made at the first question: most hosts are never asked.
    private func takeForecaster() throws(Problem) -> Forecaster {
        if let forecaster { return forecaster }
        do throws(HostError) {
            let new = try Forecaster()
            try host.add(new)
            forecaster = new
            return new
        } catch {
            throw Problem(500, "system", title: "The forecast cannot be made", detail: error.sentence)
        }
    }
}
