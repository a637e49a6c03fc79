import Engine
import TaskModel
import Testing

/// How a run goes from its submission to its outcome.
struct LadderTests {
    @Test func `A cold run is inserted, launched, started, finished and replied to, in this order`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application, memory: .mebibytes(64))
        let (submitted, actions) = bench.submitted(task)
        let run = try #require(submitted)
        let worker = try #require(actions.launched)
        #expect(actions == [.insert(run), .launch(worker, application: application, memory: .mebibytes(64))])
        #expect(bench.slot(run)?.phase == .launching)
        #expect(
            bench.feed(.ready(worker)) == [.state(worker, .background), .meter(worker), .start(worker, run)])
        #expect(bench.slot(run)?.phase == .running)
        #expect(bench.pass(.seconds(1)) == [])
        #expect(bench.complete(run, of: worker) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .succeeded)
        #expect(bench.slot(run)?.figures.wallTime == .seconds(1))
        #expect(bench.slot(run)?.phase == .ended)
    }

    @Test func `A warm run is inserted and started at once`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let first = try #require(bench.running(task))
        _ = bench.complete(first.run, of: first.worker)
        let (submitted, actions) = bench.submitted(task)
        let run = try #require(submitted)
        #expect(actions == [.insert(run), .start(first.worker, run)])
    }

    @Test func `Runs are numbered without a gap from the number that the record gives`() throws {
        let bench = Bench(concurrency: 1, nextSequence: 41)
        let task = bench.task(of: bench.application())
        let runs = try (0..<3).map { _ in try #require(bench.submit(task)) }
        #expect(runs.map { bench.slot($0)?.sequence } == [41, 42, 43])
    }

    struct Report: CustomTestStringConvertible {
        var success: Bool
        var automatic = false
        /// Why it was warned; nil: it was not.
        var reason: Reason?
        var outcome: Outcome
        var testDescription: String {
            "\(success ? "success" : "failure")\(automatic ? ", automatic" : ""), "
                + "\(reason.map { "expired because of \($0)" } ?? "running"): \(outcome)"
        }
    }

    @Test(arguments: [
        Report(success: true, outcome: .succeeded),
        Report(success: false, outcome: .failed),
        Report(success: true, reason: .budget, outcome: .expired),
        Report(success: false, reason: .budget, outcome: .expired),
        Report(success: false, automatic: true, reason: .budget, outcome: .failed),
        Report(success: true, automatic: true, reason: .budget, outcome: .failed),
        Report(success: true, automatic: true, outcome: .failed),
        Report(success: true, reason: .userCancelled, outcome: .cancelled),
        Report(success: false, reason: .userCancelled, outcome: .cancelled),
        Report(success: false, automatic: true, reason: .userCancelled, outcome: .failed),
        Report(success: true, reason: .hostStopping, outcome: .expired),
        Report(success: false, automatic: true, reason: .hostStopping, outcome: .failed),
        Report(success: true, reason: .simulated, outcome: .expired),
        Report(success: false, automatic: true, reason: .simulated, outcome: .failed),
    ])
    func `The completion and the warning before it decide the outcome`(_ report: Report) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        switch report.reason {
        case .budget: _ = bench.pass(.seconds(25))
        case .userCancelled: _ = bench.feed(.cancelled(run))
        case .hostStopping: _ = bench.feed(.stopping)
        case .simulated: _ = bench.feed(.simulatedExpiration(run))
        default: #expect(report.reason == nil)
        }
        #expect(bench.slot(run)?.phase == (report.reason == nil ? .running : .expiring))
        let actions = bench.complete(run, of: worker, success: report.success, automatic: report.automatic)
        #expect(actions.prefix(2) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == report.outcome)
        #expect(bench.reason(run) == report.reason)
    }

    @Test(
        arguments: [
            (nil, .deferred), (.budget, .deferred), (.hostStopping, .deferred), (.simulated, .deferred),
            (.userCancelled, .cancelled),
        ] as [(Reason?, Outcome)])
    func `A handler may ask for another time, before the warning and after it`(
        _ reason: Reason?, _ outcome: Outcome
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        switch reason {
        case .budget: _ = bench.pass(.seconds(25))
        case .hostStopping: _ = bench.feed(.stopping)
        case .simulated: _ = bench.feed(.simulatedExpiration(run))
        case .userCancelled: _ = bench.feed(.cancelled(run))
        default: #expect(reason == nil)
        }
        let deferral = try #require(Deferral(.seconds(90)))
        #expect(bench.feed(.deferred(worker, run, deferral)).prefix(2) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == outcome)
        #expect(bench.reason(run) == reason)
        #expect(bench.slot(run)?.deferral == (outcome == .deferred ? deferral : nil))
        // What it says afterwards counts for nothing.
        #expect(bench.feed(.deferred(worker, run, deferral)) == [])
        #expect(bench.complete(run, of: worker) == [])
        #expect(bench.outcome(run) == outcome)
    }

    struct Departure: CustomTestStringConvertible {
        var event: @Sendable (WorkerHandle, RunHandle) -> Event
        var outcome: Outcome
        var killsWorker: Bool
        var testDescription: String { "\(outcome)" }
    }

    static let departures = [
        Departure(event: { .unreported($0, $1) }, outcome: .unreported, killsWorker: false),
        Departure(event: { .declined($0, $1) }, outcome: .refused, killsWorker: false),
        Departure(event: { .declined($0, $1, program: .exited(127)) }, outcome: .refused, killsWorker: false),
        Departure(event: { worker, _ in .violated(worker) }, outcome: .crashed, killsWorker: true),
        Departure(
            event: { worker, _ in .exited(worker, WorkerExit(signal: 11, status: 0, outOfMemory: false)) },
            outcome: .crashed, killsWorker: true),
        Departure(
            event: { worker, _ in .exited(worker, WorkerExit(signal: 0, status: 0, outOfMemory: false)) },
            outcome: .exited, killsWorker: true),
        Departure(
            event: { worker, _ in .exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: true)) },
            outcome: .exceededMemory, killsWorker: true),
    ]

    @Test(arguments: departures, [false, true])
    func `A run that is not completed ends by the way its process ended, warned or not`(
        _ departure: Departure, _ isExpiring: Bool
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        if isExpiring { _ = bench.pass(.seconds(25)) }
        let actions = bench.feed(departure.event(worker, run))
        if departure.killsWorker {
            #expect(actions == [.kill(worker)])
            #expect(bench.slot(run)?.phase == .ending)
            #expect(bench.feed(.treeExited(worker)) == [.finish(run), .reply(run), .retire(worker)])
        } else {
            #expect(actions == [.finish(run), .reply(run)])
        }
        #expect(bench.outcome(run) == departure.outcome)
    }

    @Test(arguments: [(Int32(0), Int32(7)), (11, 0)])
    func `The record has the signal or the exit status, never both`(_ signal: Int32, _ status: Int32) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.gone(worker, signal: signal, status: status)
        #expect(bench.slot(run)?.figures.signal == (signal == 0 ? nil : signal))
        #expect(bench.slot(run)?.figures.exitStatus == (signal == 0 ? status : nil))
    }

    @Test func `An exit status of zero without a completion is no success`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.gone(worker, signal: 0, status: 0)
        #expect(bench.outcome(run) == .exited)
        #expect(bench.slot(run)?.figures.exitStatus == 0)
    }

    @Test func `The first completion counts and the second changes nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.complete(run, of: worker, success: false)
        #expect(bench.complete(run, of: worker, success: true) == [])
        #expect(bench.outcome(run) == .failed)
        bench.engine.release(run)
        #expect(bench.complete(run, of: worker, success: true) == [])
    }

    @Test func `A late report misses the run that has the slot now`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (old, worker) = try #require(bench.running(task))
        _ = bench.isQuiet(after: bench.complete(old, of: worker))
        let new = try #require(bench.joining(worker, task))
        #expect(new.index == old.index && new.generation != old.generation)
        #expect(bench.complete(old, of: worker) == [])
        #expect(bench.feed(.unreported(worker, old)) == [])
        #expect(bench.feed(.declined(worker, old)) == [])
        #expect(bench.feed(.cancelled(old)) == [])
        #expect(bench.feed(.simulatedExpiration(old)) == [])
        #expect(bench.slot(new)?.phase == .running)
    }

    @Test func `A worker speaks for no run of another worker`() throws {
        let bench = Bench()
        let mine = try #require(bench.running(bench.task(of: bench.application())))
        let other = try #require(bench.running(bench.task(of: bench.application())))
        #expect(bench.complete(mine.run, of: other.worker) == [])
        #expect(bench.feed(.unreported(other.worker, mine.run)) == [])
        #expect(bench.feed(.declined(other.worker, mine.run)) == [])
        #expect(bench.slot(mine.run)?.phase == .running)
    }

    @Test func `A foreign function's result stands in the record`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.feed(.completed(worker, run, success: true, result: .unsigned(7), automatic: false))
        #expect(bench.slot(run)?.figures.result == .unsigned(7))
    }

    @Test func `The events tell the steps of a run's life in order`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let completed = try #require(bench.running(task))
        _ = bench.pass(.seconds(25))
        _ = bench.complete(completed.run, of: completed.worker)
        #expect(bench.slot(completed.run)?.steps == [.submitted, .launched, .started, .expired, .completed, .ended])
        let killed = try #require(bench.joining(completed.worker, task))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.seconds(5))
        _ = bench.gone(completed.worker)
        #expect(bench.slot(killed)?.steps == [.submitted, .started, .expired, .killed, .ended])
    }
}

extension RunSlot {
    fileprivate var steps: [RunEvent.Kind] {
        events.withSpan { span in span.indices.map { span[$0].kind } }
    }
}
