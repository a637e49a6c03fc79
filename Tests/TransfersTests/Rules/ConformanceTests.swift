import TaskModel
import Testing
import Transfers

/// The policy's part of the checks of background sessions, by their numbers in the reference.
struct ConformanceTests {
    @Test func `37: an application that is gone is woken once, when the last of its downloads ends`() {
        let bench = Bench.begun()
        let transfers = [bench.go(), bench.go()]
        bench.stand(.notRunning)
        bench.finish(transfers[0])
        #expect(bench.woken.isEmpty)
        bench.finish(transfers[1])
        #expect(bench.woken == [bench.session])
        bench.pass(.seconds(3600))
        #expect(bench.woken.isEmpty)
        bench.open(bench.session)
        for transfer in transfers { bench.tell(transfer) }
        bench.handled(bench.session)
        #expect(bench.woken.isEmpty && bench.queue.counts == TransferCounts())
    }

    @Test func `38: a quit by a user ends all of it, and wakes none before the next launch by a user`() {
        let bench = Bench.begun()
        let running = bench.go()
        let suspended = bench.add()
        let others = bench.go(in: bench.addSession(of: bench.other))
        bench.call { $0.quit(bench.application, at: $1) }
        #expect(
            bench.decisions == [.end(running, .cancelled, .userForceQuit), .end(suspended, .cancelled, .userForceQuit)])
        for transfer in [running, suspended] {
            bench.writeEnd(transfer)
            #expect(bench.woken.isEmpty)
        }
        #expect(bench.queue.state(of: others) == .running)
        for standing in [TransferStanding.notRunning, .background, .suspended] {
            bench.stand(standing)
            #expect(bench.woken.isEmpty)
        }
        bench.stand(.foreground)
        bench.open(bench.session)
        for transfer in [running, suspended] { bench.tell(transfer) }
        bench.stand(.suspended)
        #expect(bench.woken.isEmpty)
    }

    @Test func `38: a cancellation by the application has no reason`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.call { $0.cancel(transfer, at: $1) }
        #expect(bench.decisions == [.end(transfer, .cancelled, nil)])
        bench.call { $0.cancel(transfer, at: $1) }
        #expect(bench.decisions.isEmpty)
    }

    @Test func `39: one that is created in the background is discretionary`() {
        let bench = Bench.begun()
        bench.set { $0.externalPower = .no }
        let ordinary = bench.go()
        #expect(bench.begun == [ordinary])
        let behind = bench.go { $0.isFromBackground = true }
        #expect(bench.begun.isEmpty && bench.wait(behind) == .power)
        bench.set { $0.externalPower = .yes }
        #expect(bench.begun == [behind])
    }

    @Test(arguments: [TransferState.suspended, .waiting])
    func `39: seven days without success end it with timedOut`(state: TransferState) {
        let bench = Bench.begun()
        bench.set { $0.network = .none }
        let transfer = bench.add { $0.state = state }
        bench.pass(.seconds(7 * 86_400 - 1))
        #expect(bench.decisions.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.decisions == [.end(transfer, .timedOut, nil)])
    }

    @Test func `40: each wake in the background doubles the delay of what it starts, and the foreground ends it`() {
        let bench = Bench.begun()
        var transfer = bench.go()
        for seconds: Int64 in [60, 120, 240] {
            bench.stand(.suspended)
            bench.finish(transfer)
            #expect(bench.woken == [bench.session])
            bench.stand(.background)
            bench.open(bench.session)
            bench.tell(transfer)
            bench.pass(.seconds(2))
            transfer = bench.go { $0.isFromBackground = true }
            #expect(bench.begun.isEmpty && bench.wait(transfer) == .delay)
            #expect(bench.left(transfer) == .seconds(seconds))
            bench.handled(bench.session)
            bench.pass(.seconds(seconds))
            #expect(bench.begun == [transfer])
            // Its transfer takes a while; less than the delay.
            bench.pass(.seconds(seconds / 2))
        }
        bench.finish(transfer)
        bench.stand(.foreground)
        bench.stand(.background)
        let next = bench.go { $0.isFromBackground = true }
        #expect(bench.begun == [next])
    }
}
