import TaskModel
import Testing
import Transfers

struct MachineTests {
    struct Holding: Sendable, CustomTestStringConvertible {
        let wait: TransferWait
        let hold: @Sendable (inout DeviceConditions) -> Void
        /// It stops a transfer that runs.
        let stops: Bool
        var testDescription: String { wait.name }

        init(_ wait: TransferWait, stops: Bool, _ hold: @escaping @Sendable (inout DeviceConditions) -> Void) {
            self.wait = wait
            self.hold = hold
            self.stops = stops
        }
    }

    static let discretionary = [
        Holding(.power, stops: true) { $0.externalPower = .no },
        Holding(.power, stops: false) { $0.externalPower = .unknown },
        Holding(.unmeteredNetwork, stops: true) { $0.network = .constrained },
        Holding(.network, stops: false) { $0.network = .none },
        Holding(.network, stops: false) { $0.network = .unknown },
        Holding(.window, stops: true) { $0.windowClosed = .yes },
        Holding(.lowPower, stops: false) { $0.lowPowerMode = .yes },
        Holding(.sleep, stops: false) { $0.isAsleep = .yes },
    ]

    @Test(arguments: discretionary)
    func `Discretionary ones wait for power, an unmetered network and a window`(holding: Holding) {
        let bench = Bench.begun(session: { $0.isDiscretionary = true })
        let running = bench.go()
        #expect(bench.begun == [running])
        bench.set(holding.hold)
        #expect(bench.stopped == (holding.stops ? [running] : []))
        let waiting = bench.go()
        #expect(bench.begun.isEmpty && bench.wait(waiting) == holding.wait)
        bench.set { $0 = .quiet }
        #expect(bench.begun.contains(waiting))
    }

    @Test(arguments: [
        Holding(.power, stops: true) { $0.externalPower = .no },
        Holding(.lowPower, stops: false) { $0.lowPowerMode = .yes },
        Holding(.window, stops: true) { $0.windowClosed = .yes },
        Holding(.unmeteredNetwork, stops: true) { $0.network = .constrained },
    ])
    func `Others need a network and nothing else`(holding: Holding) {
        let bench = Bench.begun()
        bench.set(holding.hold)
        let transfer = bench.go()
        #expect(bench.begun == [transfer])
    }

    @Test func `One that must not cost anything stops on a metered network`() {
        let bench = Bench.begun()
        let (frugal, other) = (bench.go { $0.request.allowsExpensive = false }, bench.go())
        let session = bench.addSession(of: bench.application) { $0.allowsConstrained = false }
        let third = bench.go(in: session)
        bench.set { $0.network = .constrained }
        #expect(bench.stopped == [frugal, third])
        bench.attemptEnds(frugal, .stopped)
        #expect(bench.wait(frugal) == .unmeteredNetwork && bench.wait(other) == nil)
        bench.set { $0.network = .ok }
        #expect(bench.begun == [frugal])
    }

    @Test func `One to this machine needs no network`() {
        let bench = Bench.begun()
        bench.set { $0.network = .none }
        let transfer = bench.go { $0.request.url = "http://127.0.0.1/" }
        #expect(bench.begun == [transfer])
    }

    @Test func `It is said once that one waits for the network`() {
        let bench = Bench.begun()
        let running = bench.go()
        bench.set { $0.network = .none }
        #expect(bench.decisions.isEmpty)
        let waiting = bench.go()
        #expect(bench.decisions == [.waitsForNetwork(waiting)])
        bench.attemptEnds(running, .interrupted(isNetwork: true, after: nil))
        #expect(bench.decisions == [.waitsForNetwork(running)])
        bench.pass(.minutes(60))
        #expect(bench.decisions.isEmpty)
        bench.set { $0.network = .ok }
        #expect(bench.decisions == [.begin(running), .begin(waiting)])
    }

    @Test func `Conditions that matter are those of transfers that were resumed`() {
        let bench = Bench.begun()
        #expect(bench.queue.minds == [])
        let transfer = bench.add { $0.isFromBackground = true }
        #expect(bench.queue.minds == [])
        bench.resume(transfer)
        #expect(bench.queue.minds == ConditionSet([.network, .power, .lowPower, .window]))
        bench.finish(transfer)
        _ = bench.go()
        #expect(bench.queue.minds == ConditionSet([.network]))
    }

    // MARK: Space

    @Test func `What would not fit waits for space, and smaller ones do not`() {
        let bench = Bench.begun { $0.diskFloor = 100 }
        bench.setFreeSpace(1100)
        let first = bench.go { $0.request.expectedReceive = 600 }
        let big = bench.go { $0.request.expectedReceive = 500 }
        let small = bench.go { $0.request.expectedReceive = 400 }
        #expect(bench.begun == [small] && bench.wait(big) == .disk && bench.queue.awaitsSpace)
        // What is written is not free when it is measured, and no longer needed.
        bench.progress(first, 600)
        bench.setFreeSpace(500)
        #expect(bench.begun.isEmpty)
        bench.finish(first)
        #expect(bench.begun.isEmpty)
        bench.finish(small)
        bench.setFreeSpace(600)
        #expect(bench.begun == [big] && !bench.queue.awaitsSpace)
    }

    @Test func `One whose server says that it is too large is stopped`() {
        let bench = Bench.begun()
        bench.setFreeSpace(1000)
        let transfer = bench.go()
        #expect(bench.begun == [transfer])
        bench.call { $0.answered(transfer, needs: 1001, at: $1) }
        #expect(bench.stopped == [transfer])
        bench.attemptEnds(transfer, .stopped)
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .disk)
        bench.setFreeSpace(1001)
        #expect(bench.begun == [transfer])
    }

    @Test func `One that needs less than was expected leaves the rest to others`() {
        let bench = Bench.begun()
        bench.setFreeSpace(1000)
        let (first, second) = (
            bench.go { $0.request.expectedReceive = 900 }, bench.go { $0.request.expectedReceive = 500 }
        )
        #expect(bench.begun.isEmpty)
        bench.call { $0.answered(first, needs: 500, at: $1) }
        #expect(bench.begun == [second])
    }

    @Test
    func `A restored download needs what is missing of it, or what its application expects of one that has not begun`()
    {
        let bench = Bench.begun()
        bench.setFreeSpace(500)
        let missing = bench.go {
            ($0.progress.attempts, $0.progress.received, $0.progress.total) = (1, 700, 1000)
            $0.request.expectedReceive = 5000
        }
        #expect(bench.begun == [missing])
        let unknown = bench.go {
            $0.progress.attempts = 1
            $0.request.expectedReceive = 5000
        }
        #expect(bench.begun == [unknown])
        let expected = bench.go { $0.request.expectedReceive = 5000 }
        let upload = bench.go { ($0.request.kind, $0.request.expectedReceive) = (.upload, 5000) }
        #expect(bench.begun == [upload] && bench.wait(expected) == .disk)
    }

    @Test func `A server that promises more than there is in the world holds no others back`() {
        let bench = Bench.begun()
        bench.setFreeSpace(1 << 40)
        let liars = (0..<4).map { _ in bench.go() }
        for liar in liars {
            bench.call { $0.answered(liar, needs: .max, at: $1) }
            #expect(bench.stopped == [liar])
            bench.attemptEnds(liar, .stopped)
        }
        let honest = bench.go { $0.request.expectedReceive = 1 << 30 }
        #expect(bench.begun == [honest])
    }

    @Test func `A disk that is full stops what runs, and nothing begins`() {
        let bench = Bench.begun { $0.diskFloor = 100 }
        let running = bench.go()
        bench.setFreeSpace(99)
        #expect(bench.stopped == [running])
        bench.attemptEnds(running, .stopped)
        let waiting = bench.go()
        #expect(bench.begun.isEmpty && bench.wait(waiting) == .disk && bench.queue.awaitsSpace)
        bench.setFreeSpace(200)
        #expect(bench.begun == [running, waiting])
        bench.set { $0.diskLow = .yes }
        #expect(bench.stopped == [running, waiting])
        bench.attemptEnds(running, .stopped)
        #expect(bench.begun.isEmpty && bench.wait(running) == .disk)
    }

    @Test func `One that finds the disk full pauses`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.attemptEnds(transfer, .noSpace)
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .disk)
        bench.setFreeSpace(100)
        bench.pass(.seconds(2))
        #expect(bench.begun.isEmpty && bench.wait(transfer) == .disk)
        bench.setFreeSpace(1 << 30)
        #expect(bench.begun == [transfer])
    }
}
