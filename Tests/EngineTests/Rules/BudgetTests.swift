import Engine
import TaskModel
import Testing

/// The wall-clock budget: warned before its end, killed at its end.
struct BudgetTests {
    private static let nanosecond = TimeSpan(nanoseconds: 1)

    @Test(arguments: [(30_000, 5_000), (1_000, 200), (10, 10), (10, 0), (1, 1)] as [(Int64, Int64)])
    func `The warning comes at the budget less the grace and the kill at the budget, to the nanosecond`(
        _ budget: Int64, _ grace: Int64
    ) throws {
        let bench = Bench()
        let task = bench.task(
            of: bench.application(), wallClock: .milliseconds(budget), grace: .milliseconds(grace))
        let (run, worker) = try #require(bench.running(task))
        let start = bench.now.instant
        if budget > grace {
            #expect(bench.pass(.milliseconds(budget - grace) - Self.nanosecond).isEmpty)
            let warning = bench.pass(Self.nanosecond)
            #expect(
                Array(warning.prefix(3)) == .expiration(worker, run, .budget))
            #expect(bench.reason(run) == .budget)
        } else {
            #expect(
                bench.pass(.zero) == .expiration(worker, run, .budget))
        }
        if grace > 0 {
            #expect(bench.pass(.milliseconds(grace) - Self.nanosecond).isEmpty)
            #expect(bench.pass(Self.nanosecond) == [.kill(worker)])
        }
        #expect(bench.now.instant - start == .milliseconds(budget))
        #expect(bench.slot(run)?.phase == .ending)
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
        #expect(bench.reason(run) == .budget)
        #expect(bench.slot(run)?.figures.wallTime == .milliseconds(budget))
    }

    @Test func `A host that wakes late warns and kills in one go`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        #expect(
            bench.pass(.seconds(3600)) == [
                .markExpired(run), .expire(worker, run, .budget), .expired(worker, run, .budget), .kill(worker),
            ])
        #expect(bench.engine.nextDeadline > bench.now.instant)
    }

    @Test func `A late warning leaves the end of the budget where it is`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        #expect(
            bench.pass(.seconds(28)) == .expiration(worker, run, .budget))
        #expect(bench.pass(.seconds(2) - Self.nanosecond).isEmpty)
        #expect(bench.pass(Self.nanosecond) == [.kill(worker)])
    }

    @Test(arguments: [Reason.userCancelled, .hostStopping, .simulated])
    func `A run that is warned early has its grace and not more`(_ reason: Reason) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(10))
        #expect(
            bench.interrupt(run, reason) == .expiration(worker, run, reason))
        #expect(bench.pass(.seconds(5) - Self.nanosecond).isEmpty)
        #expect(bench.pass(Self.nanosecond) == [.kill(worker)])
    }

    @Test(arguments: [Reason.userCancelled, .hostStopping, .simulated])
    func `Grace never goes beyond the budget`(_ reason: Reason) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .seconds(30), grace: .seconds(20))
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(10) - Self.nanosecond)
        _ = bench.interrupt(run, reason)
        // The budget ends later than the grace: the earlier of the two counts.
        #expect(bench.pass(.seconds(20) - Self.nanosecond).isEmpty)
        #expect(bench.pass(Self.nanosecond) == [.kill(worker)])

        let late = Bench()
        let other = late.task(of: late.application(), wallClock: .seconds(30), grace: .seconds(5))
        let second = try #require(late.running(other))
        _ = late.pass(.seconds(24))
        _ = late.interrupt(second.run, reason)
        #expect(late.pass(.seconds(5)) == [.kill(second.worker)])
    }

    @Test(
        arguments: [
            (Reason.userCancelled, Outcome.cancelled), (.hostStopping, .interrupted), (.simulated, .overran),
        ])
    func `The reason of the warning decides what a run is that ignores it`(
        _ reason: Reason, _ outcome: Outcome
    ) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.interrupt(run, reason)
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == outcome)
        #expect(bench.reason(run) == reason)
    }

    @Test(
        arguments: [Reason.userCancelled, .hostStopping, .simulated], [Reason.userCancelled, .hostStopping, .simulated])
    func `A run is warned once, whatever else asks for its end`(_ first: Reason, _ second: Reason) throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, _) = try #require(bench.running(task))
        _ = bench.interrupt(run, first)
        let deadline = bench.engine.nextDeadline
        _ = bench.pass(.seconds(1))
        if !(first == .hostStopping && second == .hostStopping) {
            #expect(bench.interrupt(run, second) == [])
            #expect(bench.engine.nextDeadline == deadline)
        }
        #expect(bench.reason(run) == first)
    }

    @Test func `A run that completes in the turn of its deadline has completed`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(25))
        bench.skip(.seconds(5))
        // The host reads frames before it looks at deadlines.
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .expired)
        #expect(!bench.pass(.zero).contains(.kill(worker)))
    }

    @Test func `A completion after the kill counts for nothing`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (run, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(25))
        _ = bench.pass(.seconds(5))
        #expect(bench.complete(run, of: worker) == [])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
    }
}

extension Bench {
    /// Feeds what gives a run this reason.
    func interrupt(_ run: RunHandle, _ reason: Reason) -> [Action] {
        switch reason {
        case .userCancelled: feed(.cancelled(run))
        case .simulated: feed(.simulatedExpiration(run))
        default: feed(.stopping)
        }
    }
}
