import TaskModel
import Testing
import Transfers

struct OrderTests {
    @Test func `As many run as may, in all and of each application`() {
        let bench = Bench.begun {
            $0.concurrency = 5
            $0.perApplication = 3
            $0.perHost = 100
        } session: {
            $0.connectionsPerHost = 100
        }
        let second = bench.addSession(of: bench.other)
        let mine = (0..<4).map { _ in bench.go() }
        #expect(bench.queue.counts.running == 3 && bench.wait(mine[3]) == .concurrency)
        let theirs = (0..<3).map { _ in bench.go(in: second) }
        #expect(bench.queue.counts.running == 5 && bench.wait(theirs[2]) == .concurrency)
        bench.finish(theirs[0])
        // It has fewer.
        #expect(bench.begun == [theirs[2]])
        bench.finish(mine[1])
        #expect(bench.begun == [mine[3]])
    }

    @Test func `A session has so many connections to one host`() {
        let bench = Bench.begun {
            $0.perHost = 4
        } session: {
            $0.connectionsPerHost = 2
        }
        let transfers = (0..<3).map { _ in bench.go(origin: 7) }
        #expect(bench.wait(transfers[2]) == .perHost)
        let elsewhere = bench.go(origin: 8)
        #expect(bench.begun == [elsewhere])
        bench.finish(transfers[0])
        #expect(bench.begun == [transfers[2]])
        let wide = bench.addSession(of: bench.application) { $0.connectionsPerHost = 50 }
        let more = (0..<5).map { _ in bench.go(in: wide, origin: 7) }
        #expect(more.map { bench.wait($0) } == [nil, nil, nil, nil, .perHost])
    }

    @Test func `One that is whole leaves its connection to another while it is saved`() {
        let bench = Bench.begun { $0.perHost = 1 }
        let transfers = [bench.go(), bench.go()]
        bench.call { $0.whole(transfers[0], at: $1) }
        #expect(bench.begun == [transfers[1]] && bench.queue.counts.running == 2)
        bench.call { $0.suspend(transfers[0], at: $1) }
        #expect(bench.stopped.isEmpty)
        bench.finish(transfers[0])
        #expect(bench.queue.state(of: transfers[0]) == .ended)
        bench.call { $0.whole(transfers[1], at: $1) }
        bench.call { $0.processLost(at: $1) }
        #expect(bench.wait(transfers[1]) == .backoff)
    }

    @Test func `The highest priority goes first, then the oldest`() {
        let bench = Bench.begun { $0.concurrency = 1 }
        var last = bench.go()
        let priorities: [Float] = [0.25, 0.5, 1, 0.5, 0.75, 0]
        let transfers = priorities.map { priority in bench.go { $0.request.priority = priority } }
        for next in [2, 4, 1, 3, 0, 5] {
            bench.finish(last)
            #expect(bench.begun == [transfers[next]])
            last = transfers[next]
        }
    }

    @Test func `A priority counts from when it is set`() {
        let bench = Bench.begun { $0.concurrency = 1 }
        let first = bench.go()
        let (old, new) = (bench.go(origin: 1), bench.go(origin: 2))
        bench.call { $0.setPriority(new, 0.9, at: $1) }
        bench.finish(first)
        #expect(bench.begun == [new])
        bench.finish(new)
        #expect(bench.begun == [old])
    }

    @Test func `Applications take turns, however much one of them has queued`() {
        let bench = Bench.begun { $0.concurrency = 2 }
        let second = bench.addSession(of: bench.other)
        let mine = (0..<6).map { _ in bench.go() }
        let theirs = (0..<6).map { _ in bench.go(in: second) }
        var running = [mine[0], mine[1]]
        var order: [Bool] = []
        for _ in 0..<8 {
            bench.finish(running.removeFirst())
            running += bench.begun
            order += bench.begun.map { mine.contains($0) }
        }
        #expect(order == [false, true, false, true, false, true, false, true])
        #expect(theirs.prefix(4).allSatisfy { bench.queue.state(of: $0) == .ended || running.contains($0) })
    }

    @Test func `Rates are divided among those that run`() {
        let bench = Bench.begun {
            $0.rate = 1200
            $0.applicationRate = 800
        }
        let second = bench.addSession(of: bench.other)
        let first = bench.go()
        #expect(bench.decisions == [.begin(first), .rate(first, 800)])
        let next = bench.go()
        #expect(bench.decisions == [.begin(next), .rate(first, 400), .rate(next, 400)])
        let third = bench.go(in: second)
        #expect(bench.decisions == [.begin(third), .rate(third, 400)])
        bench.progress(third, 1000)
        #expect(bench.decisions.isEmpty)
        bench.finish(first)
        #expect(bench.decisions == [.rate(next, 600), .rate(third, 600)])
    }

    @Test func `What a user holds waits for a user`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.call { $0.hold(transfer, at: $1) }
        #expect(bench.stopped == [transfer])
        bench.attemptEnds(transfer, .stopped)
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .person)
        bench.call { $0.suspend(transfer, at: $1) }
        bench.resume(transfer)
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .person)
        bench.call { $0.release(transfer, at: $1) }
        #expect(bench.begun == [transfer])
    }

    @Test func `What is resumed before its attempt has stopped continues`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.call { $0.suspend(transfer, at: $1) }
        #expect(bench.stopped == [transfer] && bench.queue.state(of: transfer) == .suspended)
        bench.resume(transfer)
        #expect(bench.begun.isEmpty)
        bench.attemptEnds(transfer, .stopped)
        #expect(bench.begun == [transfer])
    }

    @Test func `Without its manifest an application's transfers wait`() {
        let bench = Bench.begun()
        let (running, suspended) = (bench.go(), bench.add())
        bench.call { $0.remove(bench.application, at: $1) }
        #expect(bench.stopped == [running])
        bench.attemptEnds(running, .stopped)
        bench.resume(suspended)
        #expect(bench.begun.isEmpty && bench.wait(running) == .applicationMissing)
        bench.call { $0.restore(bench.application, at: $1) }
        #expect(bench.begun == [running, suspended])
    }

    @Test func `Another configuration counts for transfers that are there`() {
        let bench = Bench.begun {
            $0.perHost = 10
        } session: {
            $0.connectionsPerHost = 1
        }
        bench.set { $0.network = .constrained }
        let transfers = (0..<3).map { _ in bench.go() }
        #expect(bench.queue.counts.running == 1)
        var options = NewSession(application: bench.application)
        options.connectionsPerHost = 2
        bench.call { $0.setOptions(of: bench.session, options, at: $1) }
        #expect(bench.begun == [transfers[1]])
        options.allowsExpensive = false
        bench.call { $0.setOptions(of: bench.session, options, at: $1) }
        #expect(bench.stopped == [transfers[0], transfers[1]] && bench.wait(transfers[2]) == .unmeteredNetwork)
    }
}
