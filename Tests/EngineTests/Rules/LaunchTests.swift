import Engine
import TaskModel
import Testing

/// Runs that are delivered in one launch of their application.
struct LaunchTests {
    @Test("Check 20: runs of one launch go on at once and share a single deadline")
    func sharedDeadline() throws {
        let bench = Bench()
        let application = bench.application()
        let refresh = bench.task(of: application, wallClock: .seconds(30))
        let processing = bench.task(of: application, wallClock: .minutes(5), grace: .seconds(60))
        let (first, actions) = bench.submitted(processing, launch: 7)
        let worker = try #require(actions.launched)
        let second = bench.submitted(refresh, launch: 7).run
        let runs = [try #require(first), try #require(second)]
        #expect(bench.feed(.ready(worker)).started == runs)
        #expect(bench.slot(runs[0])?.budgetEnd == bench.now.instant + .seconds(30))
        #expect(bench.pass(.seconds(24)) == [])
        let warnings = bench.pass(.seconds(1))
        for run in runs { #expect(warnings.contains(.expire(worker, run, .budget))) }
        #expect(bench.pass(.seconds(5)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(Set(runs.map { bench.outcome($0) }).isSubset(of: [.overran, .interrupted]))
    }

    @Test("Check 20: a grace longer than the shared time does not warn a run as it starts", arguments: [true, false])
    func longGrace(_ shortComesFirst: Bool) throws {
        let bench = Bench()
        let application = bench.application()
        let short = bench.task(of: application, wallClock: .seconds(1), grace: .milliseconds(300))
        let long = bench.task(of: application, wallClock: .minutes(5), grace: .seconds(5))
        let order = shortComesFirst ? [short, long] : [long, short]
        let (first, actions) = bench.submitted(order[0], launch: 7)
        let worker = try #require(actions.launched)
        let runs = [try #require(first), try #require(bench.submitted(order[1], launch: 7).run)]
        #expect(bench.feed(.ready(worker)).started == runs)
        #expect(bench.pass(.milliseconds(699)) == [])
        let warnings = bench.pass(.milliseconds(1))
        for run in runs { #expect(warnings.contains(.expire(worker, run, .budget))) }
    }

    @Test func `One that joins later has the launch's deadline, whichever is the earlier`() throws {
        let bench = Bench()
        let application = bench.application()
        let long = bench.task(of: application, wallClock: .minutes(5))
        let short = bench.task(of: application, wallClock: .seconds(30))
        let (submitted, actions) = bench.submitted(short, launch: 3)
        let first = try #require(submitted)
        let handle = try #require(actions.launched)
        _ = bench.feed(.ready(handle))
        let end = bench.slot(first)?.budgetEnd
        _ = bench.pass(.seconds(10))
        let second = try #require(bench.submitted(long, launch: 3).run)
        #expect(bench.slot(second)?.budgetEnd == end)
        // One that is even shorter draws the others' end nearer, also that of one that was warned.
        _ = bench.feed(.simulatedExpiration(first))
        let third = try #require(
            bench.submitted(bench.task(of: application, wallClock: .seconds(2), grace: .seconds(1)), launch: 3).run)
        #expect(bench.slot(first)?.budgetEnd == bench.now.instant + .seconds(2))
        _ = bench.pass(.seconds(1))
        for run in [second, third] { #expect(bench.slot(run)?.phase == .expiring) }
        #expect(bench.pass(.seconds(1)) == [.kill(handle)])
    }

    @Test func `Other launches and runs on their own have their own budgets`() throws {
        let bench = Bench()
        let application = bench.application()
        let (_, worker) = try #require(bench.running(bench.task(of: application, wallClock: .seconds(10))))
        let long = bench.task(of: application, wallClock: .minutes(5))
        for launch in [0, 1, 2] as [UInt32] {
            let run = try #require(bench.submitted(long, launch: launch).run)
            #expect(bench.slot(run)?.budgetEnd == bench.now.instant + .minutes(5))
        }
        #expect(bench.engine.runCount(of: worker) == 4)
    }
}
