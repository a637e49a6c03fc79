import Engine
import TaskModel
import Testing

/// CPU time and memory, charged to the runs in a tree.
struct MeteringTests {
    @Test func `More CPU time than the budget is exceeded CPU, the budget itself is not`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(10))
        let (run, worker) = try #require(bench.running(task))
        #expect(bench.meter(worker, cpu: .seconds(10)) == [])
        #expect(bench.meter(worker, cpu: TimeSpan(nanoseconds: 10_000_000_001)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededCPU)
        #expect(bench.slot(run)?.figures.cpuTime == TimeSpan(nanoseconds: 10_000_000_001))
    }

    @Test func `What the tree used before a run is not charged to it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(10))
        let first = try #require(bench.running(task))
        _ = bench.meter(first.worker, cpu: .seconds(9))
        _ = bench.complete(first.run, of: first.worker)
        let second = try #require(bench.joining(first.worker, task))
        #expect(bench.meter(first.worker, cpu: .seconds(19)) == [])
        _ = bench.complete(second, of: first.worker)
        #expect(bench.slot(first.run)?.figures.cpuTime == .seconds(9))
        #expect(bench.slot(second)?.figures.cpuTime == .seconds(10))
    }

    @Test func `What the launch used is not charged to the first run`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(1))
        let (run, worker) = try #require(bench.launching(task))
        // The host acts in order: it reads the meter before the handler is invoked.
        #expect(
            bench.feed(.ready(worker)) == [.state(worker, .background), .meter(worker), .start(worker, run)])
        #expect(bench.meter(worker, cpu: .seconds(2)) == [])
        #expect(bench.meter(worker, cpu: .seconds(3)) == [])
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .succeeded)
        #expect(bench.slot(run)?.figures.cpuTime == .seconds(1))
    }

    @Test func `What a sibling used since the last reading is not charged to a run that joins it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(10))
        let (first, worker) = try #require(bench.running(task))
        _ = bench.meter(worker)
        _ = bench.pass(.seconds(4))
        let (submitted, actions) = bench.submitted(task)
        let second = try #require(submitted)
        #expect(actions == [.insert(second), .meter(worker), .start(worker, second)])
        let (third, more) = bench.submitted(task)
        #expect(more.contains(.meter(worker)) == false)
        _ = bench.meter(worker, cpu: .seconds(4))
        #expect(bench.meter(worker, cpu: .seconds(10)) == [])
        for run in [first, second, try #require(third)] { _ = bench.complete(run, of: worker) }
        #expect(bench.slot(first)?.figures.cpuTime == .seconds(10))
        #expect(bench.slot(second)?.figures.cpuTime == .seconds(6))
        #expect(bench.slot(try #require(third))?.figures.cpuTime == .seconds(6))
    }

    @Test func `A reading of the same turn serves the run that is started in it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (first, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(1))
        _ = bench.meter(worker, cpu: .seconds(1))
        _ = bench.complete(first, of: worker)
        let (second, actions) = bench.submitted(task)
        #expect(actions == [.insert(try #require(second)), .start(worker, try #require(second))])
    }

    @Test func `The tree is looked at before a budget of CPU time can be gone`() throws {
        let bench = Bench(cores: 4)
        let task = bench.task(of: bench.application(), wallClock: .minutes(5), cpuTime: .seconds(10))
        let (_, worker) = try #require(bench.running(task))
        var used = TimeSpan.zero
        var last = bench.now.instant
        var looks = 0
        // All cores burn: never may a look come later than the budget.
        while used <= .seconds(10) {
            let actions = try #require(bench.passToDeadline())
            used = TimeSpan(nanoseconds: used.nanoseconds + (bench.now.instant - last).nanoseconds * 4)
            last = bench.now.instant
            #expect(actions == [.meter(worker)])
            looks += 1
            let readings = bench.meter(worker, cpu: used)
            if used > .seconds(10) { #expect(readings == [.kill(worker)]) } else { #expect(readings == []) }
            try #require(looks < 1000)
        }
        #expect(used <= TimeSpan.seconds(10) + .milliseconds(4 * 2))
    }

    @Test func `Less than the monitor's share over its window is allowed for ever`() throws {
        let bench = Bench(cores: 2)
        let task = bench.task(of: bench.application(), wallClock: .minutes(60), isMonitored: true)
        let (run, worker) = try #require(bench.running(task))
        let start = bench.now.instant
        while bench.now.instant - start < .minutes(50) {
            for action in try #require(bench.passToDeadline()) {
                guard action == .meter(worker) else { continue }
                let used = TimeSpan(nanoseconds: (bench.now.instant - start).nanoseconds * 79 / 100)
                #expect(bench.meter(worker, cpu: used) == [])
            }
        }
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test(arguments: [1, 2, 4])
    func `More than the monitor's share over its window is exceeded CPU`(_ cores: Int) throws {
        let bench = Bench(cores: cores)
        let task = bench.task(of: bench.application(), wallClock: .minutes(60), isMonitored: true)
        let (run, worker) = try #require(bench.running(task))
        let start = bench.now.instant
        var actions: [Action] = []
        while !actions.contains(.kill(worker)) {
            try #require(bench.now.instant - start < .seconds(61))
            actions = try #require(bench.passToDeadline())
            let used = TimeSpan(nanoseconds: (bench.now.instant - start).nanoseconds * 81 / 100)
            if actions.contains(.meter(worker)) { actions += bench.meter(worker, cpu: used) }
        }
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededCPU)
    }

    @Test func `Bursts on several cores count as soon as the window's share is gone`() throws {
        let bench = Bench(cores: 4)
        let task = bench.task(of: bench.application(), wallClock: .minutes(60), isMonitored: true)
        let (_, worker) = try #require(bench.running(task))
        _ = bench.pass(.seconds(12))
        #expect(bench.meter(worker, cpu: .seconds(48)) == [])
        #expect(bench.meter(worker, cpu: TimeSpan(nanoseconds: 48_000_000_001)) == [.kill(worker)])
    }

    @Test func `A run that insists on external power is not monitored`() throws {
        let bench = Bench(cores: 1)
        let task = bench.task(of: bench.application(), wallClock: .minutes(60))
        let (run, worker) = try #require(bench.running(task))
        for minute in 1...10 as ClosedRange<Int64> {
            _ = bench.pass(.minutes(1))
            #expect(bench.meter(worker, cpu: .minutes(minute)) == [])
        }
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test func `A reading that failed does not charge the next one for everything`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .minutes(60), isMonitored: true)
        let (run, worker) = try #require(bench.running(task))
        for minute in 1...5 as ClosedRange<Int64> {
            _ = bench.pass(.minutes(1))
            #expect(bench.meter(worker, cpu: minute == 4 ? .zero : .seconds(20 * minute)) == [])
        }
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test func `A run over its CPU budget takes its siblings with it`() throws {
        let bench = Bench()
        let application = bench.application()
        let greedy = bench.task(of: application, cpuTime: .seconds(1))
        let modest = bench.task(of: application, cpuTime: .seconds(20))
        let (sibling, worker) = try #require(bench.running(modest))
        let run = try #require(bench.joining(worker, greedy))
        #expect(bench.meter(worker, cpu: .seconds(2)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededCPU)
        #expect(bench.outcome(sibling) == .interrupted)
        #expect(bench.reason(sibling) == .applicationTerminated)
    }

    // MARK: Memory

    @Test func `Without a kernel that bounds memory the tree is looked at ten times a second`() throws {
        let bench = Bench(metersMemory: true)
        let task = bench.task(of: bench.application(), memory: .mebibytes(64))
        let (run, worker) = try #require(bench.running(task))
        for _ in 0..<20 {
            #expect(bench.pass(.milliseconds(100)) == [.meter(worker)])
            #expect(bench.meter(worker, peak: .mebibytes(64)) == [])
        }
        #expect(bench.meter(worker, peak: ByteCount(bytes: (64 << 20) + 1)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededMemory)
    }

    @Test func `Where the kernel bounds memory a reading above the budget is no reason to kill`() throws {
        let bench = Bench(metersMemory: false)
        let task = bench.task(of: bench.application(), memory: .mebibytes(64))
        let (run, worker) = try #require(bench.running(task))
        #expect(bench.meter(worker, peak: .mebibytes(65)) == [])
        #expect(bench.slot(run)?.phase == .running)
    }

    @Test func `The peak of an earlier run is not held against a later one`() throws {
        let bench = Bench(metersMemory: true)
        let application = bench.application()
        let large = bench.task(of: application, memory: .mebibytes(256))
        let small = bench.task(of: application, memory: .mebibytes(64))
        let (first, worker) = try #require(bench.running(large))
        _ = bench.meter(worker, peak: .mebibytes(200))
        _ = bench.complete(first, of: worker)
        // No one knows what is left of it.
        _ = bench.feed(.weighed(worker, memory: nil))
        let second = try #require(bench.joining(worker, small))
        #expect(bench.meter(worker, peak: .mebibytes(200)) == [])
        // The host may reset the peak; then what it shows is the run's own.
        #expect(bench.meter(worker, peak: .mebibytes(10)) == [])
        #expect(bench.meter(worker, peak: .mebibytes(100)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(second) == .exceededMemory)
    }

    @Test func `The smallest budget of the runs in a tree bounds it, and no longer than they last`() throws {
        let bench = Bench()
        let application = bench.application()
        let large = bench.task(of: application, memory: .mebibytes(256))
        let small = bench.task(of: application, memory: .mebibytes(64))
        let (first, worker) = try #require(bench.running(large))
        let (joined, actions) = bench.submitted(small)
        let second = try #require(joined)
        #expect(
            actions == [.insert(second), .limitMemory(worker, .mebibytes(64)), .start(worker, second)])
        #expect(
            bench.complete(second, of: worker)
                == [.limitMemory(worker, .mebibytes(256)), .finish(second), .reply(second)])
        let third = try #require(bench.joining(worker, large))
        #expect(bench.complete(first, of: worker) == [.finish(first), .reply(first)])
        #expect(bench.complete(third, of: worker) == [.finish(third), .reply(third)])
    }

    @Test func `The kernel's kill for lack of memory is charged to the runs whose budget was in force`() throws {
        let bench = Bench()
        let application = bench.application()
        let (large, worker) = try #require(bench.running(bench.task(of: application, memory: .mebibytes(256))))
        let small = try #require(bench.joining(worker, bench.task(of: application, memory: .mebibytes(64))))
        #expect(
            bench.feed(.exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: true))) == [.kill(worker)])
        _ = bench.feed(.treeExited(worker))
        #expect(bench.outcome(small) == .exceededMemory)
        #expect(bench.outcome(large) == .interrupted)
        #expect(bench.reason(large) == .applicationTerminated)
    }

    @Test func `A kill by the kernel that the worker survives is charged in the same way`() throws {
        let bench = Bench()
        let application = bench.application()
        let (large, worker) = try #require(bench.running(bench.task(of: application, memory: .mebibytes(256))))
        let small = try #require(bench.joining(worker, bench.task(of: application, memory: .mebibytes(64))))
        #expect(bench.feed(.outOfMemory(worker)) == [.kill(worker)])
        #expect(bench.feed(.outOfMemory(worker)) == [])
        _ = bench.gone(worker)
        #expect(bench.outcome(small) == .exceededMemory)
        #expect(bench.outcome(large) == .interrupted)
        #expect(bench.reason(large) == .applicationTerminated)
        #expect(bench.feed(.outOfMemory(worker)) == [])
    }

    @Test func `A tree that ran out of memory is read again until a process was killed, for 256 ms`() throws {
        let bench = Bench()
        let (_, worker) = try #require(bench.running(bench.task(of: bench.application(), wallClock: .seconds(100))))
        #expect(bench.feed(.memoryRanOut(worker)) == [])
        var looks: [Int64] = []
        while bench.engine.nextDeadline - bench.now.instant < .seconds(1) {
            let span = bench.engine.nextDeadline - bench.now.instant
            #expect(bench.pass(span).contains(.meter(worker)))
            looks.append(span.nanoseconds / 1_000_000)
            _ = bench.feed(.metered(worker, cpu: .zero, peak: .mebibytes(1)))
        }
        #expect(looks == [1, 1, 2, 4, 8, 16, 32, 64, 128])
        #expect(bench.feed(.outOfMemory(worker)) == [.kill(worker)])
    }

    @Test func `A tree that ran out of memory while it was killed for CPU time ran out of memory`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), cpuTime: .seconds(1))
        let (run, worker) = try #require(bench.running(task))
        _ = bench.meter(worker, cpu: .seconds(2))
        _ = bench.feed(.exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: true)))
        _ = bench.feed(.treeExited(worker))
        #expect(bench.outcome(run) == .exceededMemory)
    }

    @Test func `Nothing is metered when no limit needs it`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application(), wallClock: .minutes(60))
        let (run, worker) = try #require(bench.running(task))
        #expect(
            bench.passToDeadline() == .expiration(worker, run, .budget))
    }
}
