import TaskModel
import Testing
import Transfers

struct WakeTests {
    @Test func `No application is woken that is in front`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.stand(.foreground)
        bench.finish(transfer)
        #expect(bench.woken.isEmpty)
        // It never asked for its events.
        bench.stand(.suspended)
        #expect(bench.woken == [bench.session])
    }

    @Test func `A process that has the session and runs gets the events, and is not woken`() {
        let bench = Bench.begun()
        let transfers = [bench.go(), bench.go()]
        bench.stand(.background)
        bench.open(bench.session)
        bench.finish(transfers[0])
        #expect(bench.woken.isEmpty)
        bench.tell(transfers[0])
        bench.stand(.suspended)
        bench.finish(transfers[1])
        #expect(bench.woken == [bench.session])
    }

    @Test func `Transfers that are suspended do not keep it from its events`() {
        let bench = Bench.begun()
        let (done, kept) = (bench.go(), bench.go())
        _ = bench.add()
        bench.finish(done)
        #expect(bench.woken.isEmpty)
        bench.call { $0.suspend(kept, at: $1) }
        #expect(bench.woken == [bench.session])
    }

    @Test func `One that asks wakes its application while others continue`() {
        let bench = Bench.begun()
        let (asking, other) = (bench.go(), bench.go())
        bench.attemptEnds(asking, .asks)
        #expect(bench.woken == [bench.session] && bench.queue.state(of: other) == .running)
        bench.stand(.background)
        bench.open(bench.session)
        bench.call { $0.applicationAnswered(asking, at: $1) }
        #expect(bench.begun == [asking])
        bench.handled(bench.session)
        #expect(bench.woken.isEmpty)
    }

    @Test func `A session without launch events waits for the next launch`() {
        let bench = Bench.begun(session: { $0.sendsLaunchEvents = false })
        let transfer = bench.go()
        bench.finish(transfer)
        bench.pass(.minutes(60))
        #expect(bench.woken.isEmpty && bench.queue.state(of: transfer) == .ended)
    }

    @Test func `Events that were handled without being taken come again with the next ones only`() {
        let bench = Bench.begun()
        let first = bench.go()
        bench.finish(first)
        bench.stand(.background)
        bench.handled(bench.session)
        bench.stand(.suspended)
        bench.stand(.notRunning)
        bench.pass(.minutes(60))
        #expect(bench.woken.isEmpty)
        let second = bench.go()
        bench.finish(second)
        #expect(bench.woken == [bench.session])
    }

    @Test func `A process that dies over its events is followed by another`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.stand(.background)
        bench.open(bench.session)
        bench.finish(transfer)
        #expect(bench.woken.isEmpty)
        bench.stand(.notRunning)
        #expect(bench.woken == [bench.session])
    }

    @Test func `What the record has untold wakes after the start, once`() {
        let bench = Bench()
        let transfers = (0..<3).map { _ in bench.add { $0.state = .ended } }
        #expect(bench.decisions.isEmpty)
        let open = bench.add { $0.state = .running }
        bench.begin()
        #expect(bench.decisions == [.begin(open)])
        bench.finish(open)
        #expect(bench.woken == [bench.session])
        bench.open(bench.session)
        for transfer in transfers + [open] { bench.tell(transfer) }
        #expect(bench.queue.counts == TransferCounts())
    }

    @Test func `One that was handling its events when the host ended is woken again`() {
        let bench = Bench(session: { $0.awaitsHandling = true })
        bench.begin()
        #expect(bench.woken == [bench.session])
        bench.handled(bench.session)
        bench.stand(.suspended)
        #expect(bench.woken.isEmpty)
    }

    @Test func `What a manifest brings back wakes when all of it is known`() {
        let bench = Bench.begun()
        let session = bench.addSession(of: bench.other)
        let ended = (0..<2).map { _ in bench.add(to: session) { $0.state = .ended } }
        let open = bench.add(to: session) { $0.state = .waiting }
        bench.advance()
        #expect(bench.woken.isEmpty)
        bench.finish(open)
        #expect(bench.woken == [session])
        let handled = bench.addSession(of: ApplicationIndex(number: 2)) { $0.awaitsHandling = true }
        _ = bench.add(to: handled) { $0.state = .ended }
        #expect(bench.woken.isEmpty && bench.untilDeadline == .zero)
        bench.advance()
        #expect(bench.woken == [handled] && bench.untilDeadline == nil)
        #expect(bench.queue.counts.untold == ended.count + 2)
    }

    @Test func `A session that is removed leaves nothing`() {
        let bench = Bench.begun()
        let (running, ended) = (bench.go(), bench.go())
        bench.call { $0.cancel(ended, at: $1) }
        bench.writeEnd(ended)
        bench.call { $0.removeSession(bench.session, at: $1) }
        #expect(bench.stopped == [running])
        bench.attemptEnds(running, .stopped)
        bench.tell(ended)
        #expect(bench.decisions.isEmpty && bench.queue.counts == TransferCounts() && bench.untilDeadline == nil)
        #expect(bench.queue.state(of: running) == nil)
    }
}
