import Control
import Host
import JSON
import TaskModel

// Pauses: what the user holds back.
extension HostAPI {
    func addPauseRoutes() {
        router.add(.listPauses) { [unowned self] exchange in exchange.reply(pausesDocument()) }
        router.add(.pause) { [unowned self] (exchange) throws(Problem) in
            let work = try work(exchange.body)
            let until = exchange.body.timestamp("until")
            if let until, until <= host.moment.time {
                throw .meaningless("$.until", found: until.iso8601, expected: "a moment to come")
            }
            host.pauses.pause(work, until: until)
            reply(to: exchange)
        }
        router.add(.resume) { [unowned self] (exchange) throws(Problem) in
            if exchange.body.bool("everything") == true {
                for work in host.pauses.present.keys { _ = host.pauses.resume(work) }
            } else if !host.pauses.resume(try work(exchange.body, isToResume: true)) {
                throw .conflict(
                    "nothing of that name is paused; \(exchange.body.text("identifier") ?? "all work"); "
                        + "see taskhost pause --list")
            }
            reply(to: exchange)
        }
    }

    private func reply(to exchange: Exchange) {
        host.decider.settle()
        afterCommit(exchange, pausesDocument())
    }

    private func pausesDocument() -> JSONOutput {
        let pauses = host.pauses.present.sorted {
            ($0.value.since, $0.key.level, $0.key.name) < ($1.value.since, $1.key.level, $1.key.name)
        }
        return .object(["pauses": .array(pauses.prefix(10_000).map { Self.document($0.key, $0.value) })])
    }

    private static func document(_ work: PausedWork, _ pause: WorkPause) -> JSONOutput {
        let kind =
            switch work {
            case .host: "host"
            case .application: "application"
            case .task: "task"
            }
        return .object([
            "of": .string(kind), "identifier": work == .host ? .null : .string(work.name),
            "since": .string(pause.since.iso8601), "until": JSONOutput(pause.until?.iso8601),
        ])
    }

    /// - Parameter isToResume: a pause of something that no manifest has any more is known too.
    private func work(_ body: Exchange.Fields, isToResume: Bool = false) throws(Problem) -> PausedWork {
        guard let identifier = body.text("identifier") else { return .host }
        let kind = body.text("of")
        let named: [PausedWork] = [.application(identifier), .task(identifier)]
        let meant = kind.map { [$0 == "task" ? named[1] : named[0]] } ?? named
        let paused = meant.filter { host.pauses.present[$0] != nil }
        let choices = isToResume && !paused.isEmpty ? paused : meant.filter(host.pauses.isInstalled)
        guard choices.count < 2 else {
            throw .conflict(
                "an application and a task have this identifier; \(identifier); say which with --of application or --of task"
            )
        }
        guard let work = choices.first else { throw noSuchTask(identifier) }
        return work
    }
}
