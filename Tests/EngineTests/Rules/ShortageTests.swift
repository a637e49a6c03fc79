import Engine
import TaskModel
import Testing

/// Launches that fail because the host or the machine lacks something.
struct ShortageTests {
    @Test(
        "A run without a request waits in the engine, and is launched again after a pause", arguments: Shortage.allCases
    )
    func waits(_ shortage: Shortage) throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        #expect(bench.feed(.lacked(worker, shortage)) == [.kill(worker)])
        #expect(bench.slot(run)?.phase == .pending)
        #expect(bench.engine.occupied == 0)
        _ = bench.gone(worker)
        #expect(bench.pass(.milliseconds(999)).isEmpty)
        let again = try #require(bench.pass(.milliseconds(1)).launched)
        #expect(bench.feed(.ready(again)).started == [run])
    }

    @Test func `A run of a request goes back as interrupted, and holds no place`() throws {
        let bench = Bench()
        let (submitted, actions) = bench.submitted(bench.task(of: bench.application()), hasRequest: true)
        let run = try #require(submitted)
        let worker = try #require(actions.launched)
        #expect(bench.feed(.lacked(worker, .memory)) == [.kill(worker), .finish(run), .reply(run)])
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == nil)
        #expect(bench.slot(run)?.shortage == .memory)
        #expect(bench.slot(run)?.started == nil)
    }

    @Test func `While an application waits out the pause, its requests' runs go back at once`() throws {
        let bench = Bench()
        let task = bench.task(of: bench.application())
        let (_, actions) = bench.submitted(task, hasRequest: true)
        _ = bench.feed(.lacked(try #require(actions.launched), .descriptors))
        let (second, its) = bench.submitted(task, hasRequest: true)
        let run = try #require(second)
        #expect(its == [.insert(run), .finish(run), .reply(run)])
        #expect(bench.slot(run)?.shortage == .descriptors)
        // Another application is none of its business.
        #expect(bench.submitted(bench.task(of: bench.application()), hasRequest: true).actions.launched != nil)
    }

    @Test func `Runs that wait keep their order, and start when any worker of their application is ready`() throws {
        let bench = Bench()
        let application = bench.application()
        let task = bench.task(of: application)
        let (first, worker) = try #require(bench.launching(task))
        let second = try #require(bench.submit(task))
        _ = bench.feed(.lacked(worker, .processes))
        let third = try #require(bench.submit(task))
        _ = bench.gone(worker)
        // A user opens it, and waits for no pause.
        let next = try #require(bench.feed(.foreground(application: application, true)).launched)
        #expect(bench.feed(.ready(next)).started == [first, second, third])
    }

    @Test func `The pauses double to a minute, and start again after a launch that succeeded`() throws {
        let bench = Bench()
        let application = bench.application()
        let (run, first) = try #require(bench.launching(bench.task(of: application)))
        var worker = first
        var pauses: [Int64] = []
        for _ in 0..<8 {
            _ = bench.feed(.lacked(worker, .descriptors))
            _ = bench.gone(worker)
            pauses.append((bench.engine.holdEnd(of: application) - bench.now.instant).nanoseconds / 1_000_000_000)
            worker = try #require(bench.passToDeadline()?.launched)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(bench.feed(.ready(worker)).started == [run])
        _ = bench.complete(run, of: worker)
        _ = bench.feed(.exited(worker, WorkerExit(signal: 9, status: 0, outOfMemory: false)))
        _ = bench.feed(.treeExited(worker))
        let (_, last) = try #require(bench.launching(bench.task(of: application)))
        _ = bench.feed(.lacked(last, .descriptors))
        #expect(bench.engine.holdEnd(of: application) == bench.now.instant + .seconds(1))
    }

    @Test("Descriptors that come free give one application that lacks some another try", arguments: Shortage.allCases)
    func cameFree(_ shortage: Shortage) throws {
        let bench = Bench()
        for _ in 0..<2 {
            let (_, worker) = try #require(bench.launching(bench.task(of: bench.application())))
            _ = bench.feed(.lacked(worker, shortage))
            #expect(bench.gone(worker).launched == nil)
        }
        let launches = bench.feed(.descriptorsCameFree).count {
            if case .urgent(.launch) = $0 { true } else { false }
        }
        #expect(launches == (shortage == .descriptors ? 1 : 0))
    }

    @Test("A run whose worker is lost is interrupted, and does not count as a crash", arguments: [true, false])
    func lostWorker(_ hasRequest: Bool) throws {
        let bench = Bench()
        let (submitted, actions) = bench.submitted(bench.task(of: bench.application()), hasRequest: hasRequest)
        let run = try #require(submitted)
        let worker = try #require(actions.launched)
        _ = bench.feed(.ready(worker))
        #expect(bench.feed(.lacked(worker, .zygote)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == nil)
        #expect(bench.slot(run)?.figures.signal == nil)
        #expect(bench.slot(run)?.shortage == .zygote)
    }

    @Test func `A person cancels a run that waits`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        _ = bench.feed(.lacked(worker, .memory))
        _ = bench.gone(worker)
        #expect(bench.feed(.cancelled(run)) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .cancelled)
        _ = bench.passToDeadline()
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test func `A host that stops waits for nothing that is lacking`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        _ = bench.feed(.lacked(worker, .memory))
        _ = bench.gone(worker)
        #expect(bench.feed(.stopping) == [.finish(run), .reply(run)])
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == .hostStopping)
        #expect(bench.engine.nextDeadline == .distantFuture)
    }

    @Test func `A launch that the host itself was too late to look at has no culprit`() throws {
        let bench = Bench()
        let (run, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        #expect(bench.pass(.seconds(15)) == [.kill(worker)])
        #expect(bench.slot(run)?.phase == .pending)
    }

    @Test func `What a user opened is launched again after the pause`() throws {
        let bench = Bench()
        let application = bench.application()
        let worker = try #require(bench.feed(.foreground(application: application, true)).launched)
        _ = bench.feed(.lacked(worker, .memory))
        #expect(bench.gone(worker).launched == nil)
        let next = try #require(bench.pass(.seconds(1)).launched)
        #expect(bench.feed(.ready(next)).contains(.state(next, .active)))
    }

    // MARK: Room

    @Test func `Half of the workers without runs make room, the least recently used first`() throws {
        let bench = Bench()
        var idle: [WorkerHandle] = []
        for _ in 0..<4 {
            let (run, worker) = try #require(bench.running(bench.task(of: bench.application())))
            _ = bench.complete(run, of: worker)
            idle.append(worker)
        }
        let (_, worker) = try #require(bench.launching(bench.task(of: bench.application())))
        let actions = bench.feed(.lacked(worker, .descriptors))
        #expect(actions == [.kill(worker), .terminate(idle[0]), .terminate(idle[1])])
    }

    @Test func `More workers without runs than the total are not kept, the least recently used leaves`() throws {
        let bench = Bench(idleWorkers: 2)
        let tasks = (0..<3).map { _ in bench.task(of: bench.application()) }
        let first = try #require(bench.running(tasks[0]))
        let second = try #require(bench.running(tasks[1]))
        #expect(bench.complete(first.run, of: first.worker).contains(.terminate(first.worker)) == false)
        _ = bench.complete(second.run, of: second.worker)
        // Used again: the second one is the oldest now.
        let again = try #require(bench.joining(first.worker, tasks[0]))
        _ = bench.complete(again, of: first.worker)
        let third = try #require(bench.running(tasks[2]))
        let last = bench.complete(third.run, of: third.worker)
        #expect(last.contains(.terminate(second.worker)))
        #expect(!last.contains(.terminate(first.worker)) && !last.contains(.terminate(third.worker)))
    }

    @Test func `Applications are woken few at a time, and runs do not wait for them`() throws {
        let bench = Bench(launches: 2)
        let applications = (0..<5).map { _ in bench.application() }
        var launched: [WorkerHandle] = []
        for application in applications {
            for case .urgent(.launch(let worker, _, _)) in bench.feed(.wake(application: application)) {
                launched.append(worker)
            }
        }
        #expect(launched.count == 2)
        // A run of one that waits for its turn has it at once.
        let run = try #require(bench.launching(bench.task(of: applications[4])))
        #expect(bench.feed(.ready(launched[0])).launched == nil)
        let next = bench.feed(.ready(launched[1]))
        #expect(next.launched != nil)
        _ = bench.feed(.ready(run.worker))
        #expect(bench.feed(.ready(try #require(next.launched))).launched == nil)
    }

    @Test func `A wake that lacks something has another turn after the pause`() throws {
        let bench = Bench()
        let application = bench.application()
        let worker = try #require(bench.feed(.wake(application: application)).launched)
        _ = bench.feed(.lacked(worker, .descriptors))
        #expect(bench.gone(worker).launched == nil)
        #expect(bench.pass(.seconds(1)).launched != nil)
    }
}
