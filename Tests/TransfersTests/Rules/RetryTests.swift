import TaskModel
import Testing
import Transfers

struct RetryTests {
    @Test func `Pauses double, with a quarter more or less, and have an end`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        var expected = TimeSpan.seconds(1)
        var pauses: [TimeSpan] = []
        for _ in 0..<14 {
            bench.attemptEnds(transfer, .interrupted(isNetwork: false, after: nil))
            guard let pause = bench.left(transfer) else { return #expect(Bool(false), "it does not pause") }
            let share = pause.seconds / expected.seconds
            #expect(share >= 0.75 && share <= 1.25)
            pauses.append(pause)
            bench.pass(pause)
            #expect(bench.begun == [transfer])
            expected = min(expected + expected, .minutes(15))
        }
        #expect(expected == .minutes(15) && Set(pauses).count == pauses.count)
    }

    @Test func `Those that fail at once do not come back at once`() {
        let bench = Bench.begun {
            $0.concurrency = 100; $0.perApplication = 100
        }
        let transfers = (0..<50).map { number in bench.go(origin: UInt32(number)) }
        for transfer in transfers { bench.attemptEnds(transfer, .interrupted(isNetwork: false, after: nil)) }
        #expect(Set(transfers.compactMap { bench.left($0) }).count > 45)
    }

    @Test func `Headway makes failures count no more`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        for _ in 0..<5 {
            bench.attemptEnds(transfer, .interrupted(isNetwork: false, after: nil))
            bench.pass(.minutes(1))
        }
        bench.progress(transfer, 1)
        bench.attemptEnds(transfer, .interrupted(isNetwork: false, after: nil))
        #expect((bench.left(transfer) ?? .unlimited) <= .milliseconds(1250))
    }

    @Test func `A server that says when is not asked before, also when the network returns`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.attemptEnds(transfer, .interrupted(isNetwork: true, after: .minutes(5)))
        #expect(bench.left(transfer) == .minutes(5))
        bench.set { $0.network = .none }
        bench.set { $0.network = .ok }
        #expect(bench.begun.isEmpty)
        bench.pass(.minutes(5))
        #expect(bench.begun == [transfer])
    }

    @Test func `Interrupted by the network, it resumes as soon as that is back`() {
        let bench = Bench.begun()
        let (cut, failed) = (bench.go(), bench.go())
        for _ in 0..<12 {
            bench.attemptEnds(cut, .interrupted(isNetwork: true, after: nil))
            bench.pass(.minutes(20))
        }
        bench.attemptEnds(cut, .interrupted(isNetwork: true, after: nil))
        bench.attemptEnds(failed, .interrupted(isNetwork: false, after: nil))
        bench.set { $0.network = .none }
        #expect(bench.wait(cut) == .network && bench.wait(failed) == .backoff)
        bench.set { $0.network = .ok }
        #expect(bench.begun == [cut])
    }

    @Test func `After the machine's sleep it is tried at once as well`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.set { $0.isAsleep = .yes }
        bench.attemptEnds(transfer, .interrupted(isNetwork: true, after: nil))
        bench.set { $0.isAsleep = .no }
        #expect(bench.begun == [transfer])
    }

    @Test func `Attempts that die with the transfer process are made again`() {
        let bench = Bench.begun()
        let transfers = [bench.go(), bench.go()]
        bench.call { $0.processLost(at: $1) }
        #expect(bench.begun.isEmpty && bench.queue.counts.running == 0)
        bench.pass(.milliseconds(1250))
        #expect(Set(bench.begun) == Set(transfers))
    }

    @Test func `One from the record keeps its pause, and its date only until it has begun`() {
        let bench = Bench()
        let created = bench.now.time
        let paused = bench.add {
            $0.state = .running
            $0.progress.attempts = 3
            $0.progress.nextTry = created + .minutes(2)
            $0.request.earliest = created + .minutes(50)
        }
        let dated = bench.add {
            $0.state = .waiting
            $0.request.earliest = created + .minutes(10)
        }
        bench.begin()
        #expect(bench.wait(paused) == .backoff && bench.wait(dated) == .date)
        bench.pass(.minutes(2))
        #expect(bench.begun == [paused])
        bench.pass(.minutes(8))
        #expect(bench.decisions.contains(.askDelayed(dated)))
    }

    @Test func `A clock that jumps fails no transfer, and a pause from the record has a bound`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.jump(by: .seconds(400 * 86_400))
        bench.advance()
        #expect(bench.decisions.isEmpty && bench.queue.state(of: transfer) == .running)
        // Of a record that was written by a clock far ahead.
        let restored = bench.add {
            $0.state = .waiting
            $0.progress.nextTry = $0.created + .seconds(10 * 86_400)
        }
        #expect((bench.left(restored) ?? .unlimited) <= .minutes(240))
        #expect((bench.untilDeadline ?? .unlimited) <= .minutes(240))
    }

    @Test func `A date is asked about, and the answer lets it go`() {
        let bench = Bench.begun()
        let date = bench.now.time + .minutes(1)
        let transfer = bench.go { $0.request.earliest = date }
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .date && bench.untilDeadline == .minutes(1))
        bench.stand(.notRunning)
        bench.pass(.minutes(1))
        #expect(bench.decisions == [.askDelayed(transfer), .wake(bench.session)])
        #expect(bench.queue.state(of: transfer) == .asking && bench.wait(transfer) == .answer)
        bench.call { $0.applicationAnswered(transfer, at: $1) }
        #expect(bench.begun == [transfer])
        bench.attemptEnds(transfer, .interrupted(isNetwork: true, after: nil))
        bench.pass(.seconds(2))
        #expect(bench.begun == [transfer])
    }

    @Test func `A process that was called for the question and has not opened the session leaves it to begin`() {
        for isInTime in [true, false] {
            let (bench, transfer) = asked()
            bench.call { $0.eventsHandled(bench.session, inTime: isInTime, at: $1) }
            #expect(bench.decisions.contains(.withdrawQuestion(transfer)) && bench.begun == [transfer])
        }
    }

    @Test func `A process that has it open may answer until it ends or is suspended`() {
        for end in [TransferStanding.notRunning, .suspended] {
            let (bench, transfer) = asked()
            bench.stand(.background)
            bench.call { $0.open(bench.session, at: $1) }
            bench.call { $0.eventsHandled(bench.session, inTime: true, at: $1) }
            #expect(bench.decisions.isEmpty && bench.wait(transfer) == .answer)
            bench.stand(end)
            #expect(bench.decisions.contains(.withdrawQuestion(transfer)) && bench.begun == [transfer])
            // What a late answer says is of no effect.
            bench.call { $0.applicationAnswered(transfer, at: $1) }
            #expect(bench.decisions.isEmpty)
        }
    }

    @Test func `Nobody is asked of a session that launches nobody, and a challenge waits for the next process`() {
        let bench = Bench.begun(session: { $0.sendsLaunchEvents = false })
        bench.stand(.notRunning)
        let transfer = bench.go { $0.request.earliest = bench.now.time + .minutes(1) }
        bench.pass(.minutes(1))
        #expect(bench.decisions == [.begin(transfer)])
        bench.stand(.background)
        bench.call { $0.open(bench.session, at: $1) }
        bench.attemptEnds(transfer, .asks)
        bench.stand(.notRunning)
        #expect(bench.wait(transfer) == .answer)
    }

    @Test func `A process of such a session that is asked and suspended leaves it to begin`() {
        let bench = Bench.begun(session: { $0.sendsLaunchEvents = false })
        bench.stand(.background)
        bench.call { $0.open(bench.session, at: $1) }
        let transfer = bench.go { $0.request.earliest = bench.now.time + .minutes(1) }
        bench.pass(.minutes(1))
        #expect(bench.decisions == [.askDelayed(transfer)])
        bench.stand(.suspended)
        #expect(bench.decisions.contains(.withdrawQuestion(transfer)) && bench.begun == [transfer])
    }

    @Test func `An application without an answer of its own is asked while it runs, and not launched for it`() {
        let (bench, first) = asked()
        bench.call { queue, _ in queue.setAnswersDelayed(bench.session, false) }
        bench.call { $0.applicationAnswered(first, at: $1) }
        func next() -> TransferHandle {
            let transfer = bench.go { $0.request.earliest = bench.now.time + .minutes(1) }
            bench.pass(.minutes(1))
            return transfer
        }
        let second = next()
        #expect(bench.begun.contains(second))
        bench.stand(.background)
        bench.call { $0.open(bench.session, at: $1) }
        let asked = next()
        #expect(bench.decisions.contains(.askDelayed(asked)) && bench.wait(asked) == .answer)
        // A later build has one.
        bench.call { queue, _ in queue.setAnswersDelayed(bench.session, true) }
        bench.call { $0.applicationAnswered(asked, at: $1) }
        bench.stand(.notRunning)
        let last = next()
        #expect(bench.decisions.contains(.askDelayed(last)))
    }

    /// Its date has come while its application does not run.
    private func asked() -> (Bench, TransferHandle) {
        let bench = Bench.begun()
        let transfer = bench.go { $0.request.earliest = bench.now.time + .minutes(1) }
        bench.stand(.notRunning)
        bench.pass(.minutes(1))
        #expect(bench.decisions == [.askDelayed(transfer), .wake(bench.session)])
        return (bench, transfer)
    }

    @Test func `A date can be set until it begins`() {
        let bench = Bench.begun()
        let date = bench.now.time + .minutes(1)
        let transfer = bench.go { $0.request.earliest = date }
        bench.call { $0.setEarliest(transfer, nil, at: $1) }
        #expect(bench.begun == [transfer])
    }

    @Test func `A date means nothing to one that has begun`() {
        let bench = Bench.begun()
        let date = bench.now.time + .minutes(60)
        let transfer = bench.go()
        bench.call { $0.setEarliest(transfer, date, at: $1) }
        bench.attemptEnds(transfer, .interrupted(isNetwork: true, after: nil))
        bench.pass(.seconds(2))
        #expect(bench.begun == [transfer])
    }

    @Test func `Nothing is due while nothing waits for a time`() {
        let bench = Bench.begun()
        #expect(bench.untilDeadline == nil)
        let transfer = bench.go()
        #expect(bench.untilDeadline == .seconds(7 * 86_400))
        bench.finish(transfer)
        #expect(bench.untilDeadline == nil)
    }
}
