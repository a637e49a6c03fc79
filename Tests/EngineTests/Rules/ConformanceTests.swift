import Engine
import TaskModel
import Testing

/// Checks of the reference's §6 that the engine alone decides; others stand beside the rules that they belong to.
struct ConformanceTests {
    @Test("Check 21: a run that never completes is warned exactly once, before its deadline")
    func warnedOnce() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .seconds(30))))
        var warnings: [TimeSpan] = []
        let begin = bench.now.instant
        while bench.outcome(run) == nil, let actions = bench.passToDeadline() {
            for case .urgent(.expire(worker, run, .budget)) in actions { warnings.append(bench.now.instant - begin) }
        }
        #expect(warnings == [.seconds(25)])
        #expect(bench.now.instant - begin == .seconds(30))
    }

    @Test("Check 22: without an expiration handler the run is completed as failed, and nothing is killed")
    func noHandler() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.pass(.seconds(25))
        #expect(bench.complete(run, of: worker, success: false, automatic: true) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .failed)
        #expect(bench.slot(run)?.killed == nil)
    }

    @Test("Check 23: completion within the grace saves the process, silence ends it", arguments: [true, false])
    func grace(completes: Bool) throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.milliseconds(4999))
        if completes {
            #expect(bench.complete(run, of: worker, success: false) == [.finish(run), .reply(run)])
            #expect(bench.pass(.milliseconds(1)) == [])
            #expect(bench.outcome(run) == .expired)
        } else {
            #expect(bench.pass(.milliseconds(1)) == [.kill(worker)])
            _ = bench.gone(worker)
            #expect(bench.outcome(run) == .overran)
        }
        #expect(bench.reason(run) == .budget)
    }

    @Test("Check 24: the first of two completions wins, and the warning never comes after it")
    func completedTwice() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
        #expect(bench.complete(run, of: worker, success: true) == [.finish(run), .reply(run)])
        #expect(bench.complete(run, of: worker, success: false) == [])
        #expect(bench.feed(.expired(run, .powerLost)) == [])
        #expect(bench.feed(.simulatedExpiration(run)) == [])
        for _ in 0..<10 {
            for case .urgent(.expire) in bench.passToDeadline() ?? [] {
                Issue.record("it was warned after its completion")
            }
        }
        #expect(bench.outcome(run) == .succeeded)
    }

    private static let lost: [Reason] = [
        .powerLost, .networkLost, .userActive, .memoryPressure, .thermal, .diskLow,
    ]

    @Test("A run that loses a condition is warned for this reason and has its grace", arguments: lost)
    func lostWhileRunning(reason: Reason) throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .minutes(5))))
        _ = bench.pass(.seconds(1))
        #expect(
            bench.feed(.expired(run, reason)) == .expiration(worker, run, reason))
        // One warning is all there is, whatever else gets lost.
        #expect(bench.feed(.expired(run, .thermal)) == [])
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .expired)
        #expect(bench.reason(run) == reason)
    }

    @Test("A run that loses a condition before it begins is interrupted", arguments: lost)
    func lostBefore(reason: Reason) throws {
        let bench = Bench(concurrency: 1)
        let task = bench.task(of: bench.application())
        let (run, _) = try #require(bench.launching(task))
        let waiting = try #require(bench.submit(task))
        for each in [waiting, run] {
            #expect(bench.feed(.expired(each, reason)).prefix(2) == [.finish(each), .reply(each)])
            #expect(bench.outcome(each) == .interrupted)
            #expect(bench.reason(each) == reason)
        }
    }

    @Test func `A run that a user ended by its card is cancelled, whether it answers or not`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        let mute = try #require(bench.joining(worker, task))
        _ = bench.feed(.expired(run, .userCancelled))
        _ = bench.feed(.expired(mute, .userCancelled))
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .cancelled)
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(mute) == .cancelled)
    }
}
