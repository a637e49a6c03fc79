import Engine
import TaskModel
import Testing

/// Runs that are delivered in one launch of their application.
struct LaunchTests {
    @Test("Check 20: runs of one launch run at once and share a single deadline")
    func sharedDeadline() throws {
        let bench = Bench()
        let application = bench.application()
        let refresh = bench.task(of: application, wallClock: .seconds(30), sharesDeadline: true)
        let processing = bench.task(
            of: application, wallClock: .minutes(5), grace: .seconds(60), sharesDeadline: true)
        let (first, actions) = bench.submitted(processing, launch: 7)
        let worker = try #require(actions.launched)
        let second = bench.submitted(refresh, launch: 7).run
        let runs = [try #require(first), try #require(second)]
        #expect(bench.feed(.ready(worker)).started == runs)
        #expect(bench.slot(runs[0])?.budgetEnd == bench.now.instant + .seconds(30))
        let setter = try #require(bench.slot(runs[1]))
        #expect(bench.slot(runs[0])?.sharedWith == SharedDeadline(id: setter.id, task: refresh))
        #expect(setter.sharedWith == nil)
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
        let short = bench.task(of: application, wallClock: .seconds(1), grace: .milliseconds(300), sharesDeadline: true)
        let long = bench.task(of: application, wallClock: .minutes(5), grace: .seconds(5), sharesDeadline: true)
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
        let long = bench.task(of: application, wallClock: .minutes(5), sharesDeadline: true)
        let short = bench.task(of: application, wallClock: .seconds(30), sharesDeadline: true)
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
        let shortest = bench.task(
            of: application, wallClock: .seconds(2), grace: .seconds(1), sharesDeadline: true)
        let third = try #require(bench.submitted(shortest, launch: 3).run)
        #expect(bench.slot(first)?.budgetEnd == bench.now.instant + .seconds(2))
        _ = bench.pass(.seconds(1))
        for run in [second, third] { #expect(bench.slot(run)?.phase == .expiring) }
        #expect(bench.pass(.seconds(1)) == [.kill(handle)])
    }

    @Test func `Other launches and runs on their own have their own budgets`() throws {
        let bench = Bench()
        let application = bench.application()
        let short = bench.task(of: application, wallClock: .seconds(10), sharesDeadline: true)
        let (_, worker) = try #require(bench.running(short))
        let long = bench.task(of: application, wallClock: .minutes(5), sharesDeadline: true)
        for launch in [0, 1, 2] as [UInt32] {
            let run = try #require(bench.submitted(long, launch: launch).run)
            #expect(bench.slot(run)?.budgetEnd == bench.now.instant + .minutes(5))
        }
        #expect(bench.engine.runCount(of: worker) == 4)
    }

    @Test("A budget that the manifest declares is kept in full, and shortens no other", arguments: [true, false])
    func declared(_ declaredComesFirst: Bool) throws {
        let bench = Bench()
        let application = bench.application()
        let backup = bench.task(of: application, wallClock: .minutes(5), grace: .seconds(20))
        let brief = bench.task(of: application, wallClock: .seconds(4), grace: .seconds(1))
        let registered = bench.task(of: application, wallClock: .seconds(30), sharesDeadline: true)
        let order = declaredComesFirst ? [backup, brief, registered] : [registered, brief, backup]
        var runs: [TaskIndex: RunHandle] = [:]
        var worker: WorkerHandle?
        for task in order {
            let (run, actions) = bench.submitted(task, launch: 7)
            runs[task] = run
            worker = worker ?? actions.launched
        }
        let handle = try #require(worker)
        #expect(bench.feed(.ready(handle)).started.count == 3)
        for (task, wallClock) in [(backup, TimeSpan.minutes(5)), (brief, .seconds(4)), (registered, .seconds(30))] {
            let slot = try #require(runs[task].flatMap(bench.slot))
            #expect(slot.budgetEnd == bench.now.instant + wallClock)
            #expect(slot.sharedWith == nil)
        }
        #expect(bench.pass(.seconds(3)).contains(.expire(handle, try #require(runs[brief]), .budget)))
        _ = bench.complete(try #require(runs[brief]), of: handle)
        #expect(bench.pass(.seconds(22)).contains(.expire(handle, try #require(runs[registered]), .budget)))
        _ = bench.complete(try #require(runs[registered]), of: handle)
        #expect(bench.pass(.seconds(254)) == [])
        #expect(bench.pass(.seconds(1)).contains(.expire(handle, try #require(runs[backup]), .budget)))
        #expect(bench.pass(.seconds(19)) == [])
        #expect(bench.pass(.seconds(1)) == [.kill(handle)])
    }

    @Test func `Once the sibling that set the deadline has ended, the others have their own again`() throws {
        let bench = Bench()
        let application = bench.application()
        let tasks = [(4, 1), (30, 5), (300, 60)].map { wallClock, grace in
            bench.task(
                of: application, wallClock: .seconds(Int64(wallClock)), grace: .seconds(Int64(grace)),
                sharesDeadline: true)
        }
        let (first, actions) = bench.submitted(tasks[2], launch: 7)
        let worker = try #require(actions.launched)
        let long = try #require(first)
        let middle = try #require(bench.submitted(tasks[1], launch: 7).run)
        let short = try #require(bench.submitted(tasks[0], launch: 7).run)
        _ = bench.feed(.ready(worker))
        let begin = bench.now.instant
        for run in [long, middle, short] { #expect(bench.slot(run)?.budgetEnd == begin + .seconds(4)) }
        #expect(bench.pass(.seconds(2)) == [])
        _ = bench.complete(short, of: worker)
        // The next shortest sets it from now on.
        for run in [long, middle] { #expect(bench.slot(run)?.budgetEnd == begin + .seconds(30)) }
        #expect(bench.slot(long)?.sharedWith?.task == tasks[1])
        #expect(bench.pass(.seconds(22)) == [])
        let told = bench.complete(middle, of: worker)
        #expect(told.contains(.setDeadline(worker, long)), "its worker learns about it")
        #expect(bench.slot(long)?.budgetEnd == begin + .minutes(5))
        #expect(bench.pass(.seconds(215)) == [])
        #expect(bench.pass(.seconds(1)).contains(.expire(worker, long, .budget)))
        #expect(bench.slot(long)?.sharedWith?.task == tasks[1])
    }

    @Test func `A run that was warned for its sibling keeps to the warning when that has ended`() throws {
        let bench = Bench()
        let application = bench.application()
        let short = bench.task(of: application, wallClock: .seconds(4), grace: .seconds(1), sharesDeadline: true)
        let long = bench.task(of: application, wallClock: .minutes(5), grace: .seconds(5), sharesDeadline: true)
        let (first, actions) = bench.submitted(short, launch: 7)
        let worker = try #require(actions.launched)
        let (brief, other) = (try #require(first), try #require(bench.submitted(long, launch: 7).run))
        _ = bench.feed(.ready(worker))
        #expect(bench.pass(.seconds(3)).contains(.expire(worker, other, .budget)))
        _ = bench.complete(brief, of: worker)
        #expect(bench.pass(.seconds(1)) == [.kill(worker)])
    }
}
