import Engine
import TaskModel
import Testing

/// The host stops: once gently, twice at once.
struct StopTests {
    @Test func `Stopping warns what runs and interrupts what has not begun`() throws {
        let bench = Bench(concurrency: 2)
        let running = try #require(bench.running(bench.task(of: bench.application())))
        let launching = try #require(bench.launching(bench.task(of: bench.application())))
        let waiting = try #require(bench.submit(bench.task(of: bench.application())))
        let actions = bench.feed(.stopping)
        #expect(
            actions == [
                .finish(waiting), .reply(waiting), .markExpired(running.run),
                .expire(running.worker, running.run, .hostStopping),
                .expired(running.worker, running.run, .hostStopping), .kill(launching.worker),
                .finish(launching.run), .reply(launching.run),
            ])
        for run in [waiting, launching.run] {
            #expect(bench.outcome(run) == .interrupted)
            #expect(bench.reason(run) == .hostStopping)
        }
        let isStopping = bench.engine.isStopping
        #expect(isStopping)
    }

    @Test func `Cancelling does the same with the user's reason, and a stop after it changes no reason`() throws {
        let bench = Bench(concurrency: 2)
        let running = try #require(bench.running(bench.task(of: bench.application())))
        let launching = try #require(bench.launching(bench.task(of: bench.application())))
        let waiting = try #require(bench.submit(bench.task(of: bench.application())))
        let actions = bench.feed(.cancelling)
        #expect(
            actions == [
                .finish(waiting), .reply(waiting), .markExpired(running.run),
                .expire(running.worker, running.run, .userCancelled),
                .expired(running.worker, running.run, .userCancelled), .kill(launching.worker),
                .finish(launching.run), .reply(launching.run),
            ])
        let (late, _) = bench.submitted(bench.task(of: bench.application()))
        _ = bench.feed(.stopping)
        _ = bench.gone(running.worker)
        for run in [waiting, launching.run, try #require(late), running.run] {
            #expect(bench.outcome(run) == .cancelled)
            #expect(bench.reason(run) == .userCancelled)
        }
    }

    @Test func `Once stopping, the last completion lets the worker go`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        let other = try #require(bench.joining(worker, task))
        _ = bench.feed(.stopping)
        let first = bench.complete(run, of: worker)
        #expect(first == [.finish(run), .reply(run)])
        let second = bench.complete(other, of: worker)
        #expect(second == [.finish(other), .reply(other), .terminate(worker)])
        #expect(bench.isQuiet(after: first + second + bench.gone(worker, signal: 0)))
    }

    @Test func `A submission to a stopping host is recorded as interrupted`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        _ = bench.feed(.stopping)
        let (submitted, actions) = bench.submitted(task)
        let run = try #require(submitted)
        #expect(actions == [.insert(run), .finish(run), .reply(run)])
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == .hostStopping)
        #expect(bench.isQuiet(after: actions))
    }

    @Test func `An idle worker is let go and killed if it stays`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        let ended = bench.complete(run, of: worker)
        #expect(bench.feed(.stopping) == [.terminate(worker)])
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
        #expect(bench.isQuiet(after: ended + bench.gone(worker)))
    }

    @Test func `Stopping a second time kills every worker`() throws {
        let bench = Bench()
        let leaving = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.complete(leaving.run, of: leaving.worker)
        let task = bench.task(of: bench.application())
        let running = try #require(bench.running(task))
        let expired = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.feed(.simulatedExpiration(expired.run))
        _ = bench.feed(.stopping)
        #expect(bench.feed(.stopping) == [.kill(leaving.worker), .kill(running.worker), .kill(expired.worker)])
        #expect(bench.feed(.stopping) == [])
        var actions: [Action] = [.reply(leaving.run)]
        for worker in [leaving.worker, running.worker, expired.worker] { actions += bench.gone(worker) }
        for run in [running.run, expired.run] {
            #expect(bench.outcome(run) == .interrupted)
            #expect(bench.reason(run) == .hostStopping)
        }
        #expect(bench.isQuiet(after: actions))
    }

    @Test func `Stopping leaves alone what is being killed already`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.seconds(5))
        #expect(bench.feed(.stopping) == [])
        #expect(bench.feed(.stopping) == [])
        let actions = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
        #expect(bench.isQuiet(after: actions))
    }

    @Test func `A worker that reports ready after the stop is not served`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.launching(task))
        let ended = bench.feed(.stopping)
        #expect(bench.feed(.ready(worker)) == [])
        #expect(bench.feed(.refused(worker)) == [])
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.isQuiet(after: ended + bench.gone(worker)))
    }

    @Test func `A host without work is quiet from the beginning, and after it was asked to stop`() {
        let bench = Bench()
        #expect(bench.isQuiet(after: []))
        #expect(bench.feed(.stopping) == [])
        #expect(bench.isQuiet(after: bench.feed(.stopping)))
    }
}
