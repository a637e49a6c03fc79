import TaskModel
import Testing
import Transfers

struct DelayTests {
    /// The application is woken, and handles its events.
    private func wake(_ bench: Bench) {
        let transfer = bench.go { $0.state = .waiting }
        bench.stand(.notRunning)
        bench.finish(transfer)
        bench.stand(.background)
        bench.open(bench.session)
        bench.tell(transfer)
        bench.handled(bench.session)
    }

    @Test func `A delay that goes by without another wake is forgotten`() {
        let bench = Bench.begun()
        wake(bench)
        bench.pass(.seconds(60))
        let transfer = bench.go { $0.isFromBackground = true }
        #expect(bench.begun == [transfer])
        bench.finish(transfer)
        bench.tell(transfer)
        wake(bench)
        let next = bench.go { $0.isFromBackground = true }
        #expect(bench.left(next) == .seconds(60))
    }

    @Test func `The foreground lets go what the delay holds back`() {
        let bench = Bench.begun()
        wake(bench)
        let transfer = bench.go { $0.isFromBackground = true }
        #expect(bench.wait(transfer) == .delay)
        bench.stand(.foreground)
        #expect(bench.begun == [transfer])
    }

    @Test func `What is created in the foreground is not delayed`() {
        let bench = Bench.begun()
        wake(bench)
        let transfer = bench.go()
        #expect(bench.begun == [transfer])
    }

    @Test func `Events that are not handled in time double the delay once more, and come again after it`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.stand(.notRunning)
        bench.finish(transfer)
        #expect(bench.woken == [bench.session])
        // Each wake doubles it, and each that fails once more.
        for delay: Int64 in [120, 480, 1920, 7680, 240 * 60, 240 * 60] {
            bench.stand(.background)
            bench.open(bench.session)
            bench.stand(.notRunning)
            bench.handled(bench.session, inTime: false)
            #expect(bench.woken.isEmpty && bench.untilDeadline == .seconds(delay))
            bench.pass(.seconds(delay))
            #expect(bench.woken == [bench.session])
        }
    }

    @Test func `Several sessions are one wake`() {
        let bench = Bench.begun()
        let second = bench.addSession(of: bench.application)
        let transfers = [bench.go(), bench.go(in: second)]
        bench.stand(.notRunning)
        for transfer in transfers {
            bench.finish(transfer)
            #expect(bench.woken.count == 1)
        }
        bench.stand(.background)
        let next = bench.go { $0.isFromBackground = true }
        #expect(bench.left(next) == .seconds(60))
    }
}
