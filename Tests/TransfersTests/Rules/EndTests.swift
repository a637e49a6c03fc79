import TaskModel
import Testing
import Transfers

/// A transfer ends once, whatever happens on its way there.
struct EndTests {
    /// Where a transfer may be, and how it gets there.
    private static let states: [(name: String, make: @Sendable (Bench) -> TransferHandle)] = [
        ("suspended", { $0.add() }),
        ("dated", { bench in bench.go { $0.request.earliest = bench.now.time + .minutes(10) } }),
        ("asking", { bench in bench.go { $0.request.earliest = bench.now.time } }),
        ("running", { $0.go() }),
        (
            "saving",
            { bench in
                let transfer = bench.go()
                bench.call { $0.whole(transfer, at: $1) }
                return transfer
            }
        ),
        ("paused", { ending($0, .interrupted(isNetwork: true, after: nil)) }),
        ("without space", { ending($0, .noSpace) }),
        ("weighing", { ending($0, .weighed) }),
        ("with an end", { ending($0, .finished) }),
        (
            "cancelled",
            { bench in
                let transfer = bench.go()
                bench.call { $0.cancel(transfer, at: $1) }
                return transfer
            }
        ),
        (
            "over",
            { bench in
                let transfer = bench.go()
                bench.finish(transfer)
                return transfer
            }
        ),
    ]

    private static func ending(_ bench: Bench, _ end: AttemptEnd) -> TransferHandle {
        let transfer = bench.go()
        bench.attemptEnds(transfer, end)
        return transfer
    }

    private typealias Event = (name: String, play: @Sendable (Bench, TransferHandle) -> Void)

    private static let events: [Event] = [
        ("resume", { bench, transfer in bench.resume(transfer) }),
        ("suspend", { bench, transfer in bench.call { $0.suspend(transfer, at: $1) } }),
        ("hold", { bench, transfer in bench.call { $0.hold(transfer, at: $1) } }),
        ("release", { bench, transfer in bench.call { $0.release(transfer, at: $1) } }),
        ("cancel", { bench, transfer in bench.call { $0.cancel(transfer, at: $1) } }),
        ("quit", { bench, _ in bench.call { $0.quit(bench.application, at: $1) } }),
        ("a dead process", { bench, _ in bench.call { $0.processLost(at: $1) } }),
        ("no manifest", { bench, _ in bench.call { $0.remove(bench.application, at: $1) } }),
        ("an answer", { bench, transfer in bench.call { $0.applicationAnswered(transfer, at: $1) } }),
        ("a size", { bench, transfer in bench.call { $0.answered(transfer, needs: 100, at: $1) } }),
        ("progress", { bench, transfer in bench.progress(transfer, 50) }),
        ("a whole body", { bench, transfer in bench.call { $0.whole(transfer, at: $1) } }),
        ("its time", { bench, _ in bench.pass(.minutes(8 * 24 * 60)) }),
        ("no network", { bench, _ in bench.set { $0.network = .none } }),
        ("a full disk", { bench, _ in bench.setFreeSpace(0) }),
        ("told", { bench, transfer in bench.tell(transfer) }),
        ("finished", { bench, transfer in bench.attemptEnds(transfer, .finished) }),
        ("weighed", { bench, transfer in bench.attemptEnds(transfer, .weighed) }),
        ("stopped", { bench, transfer in bench.attemptEnds(transfer, .stopped) }),
        ("a challenge", { bench, transfer in bench.attemptEnds(transfer, .asks) }),
        ("its end", { bench, transfer in bench.writeEnd(transfer) }),
    ]

    @Test func `Every event has an answer in every state, and each way leads to one end`() {
        for state in Self.states {
            for first in Self.events {
                for second in Self.events {
                    let bench = Bench.begun()
                    let transfer = state.make(bench)
                    let name = "\(state.name), \(first.name), \(second.name)"
                    var ends = 0
                    for event in [first, second] {
                        event.play(bench, transfer)
                        ends += bench.ends(of: transfer)
                        let fault = bench.queue.check()
                        #expect(fault == nil, "\(name)")
                    }
                    // The policy decides an end once.
                    #expect(ends <= 1, "\(name)")
                    // However it stands, one end is the host's to write, and no second.
                    let isKnown = bench.queue.state(of: transfer) != nil
                    let isOver = bench.queue.state(of: transfer) == .ended
                    #expect(bench.call { $0.ended(transfer, at: $1) } == (isKnown && !isOver), "\(name)")
                    #expect(!bench.call { $0.ended(transfer, at: $1) }, "\(name)")
                    bench.tell(transfer)
                    #expect(bench.queue.counts == TransferCounts() && bench.queue.check() == nil, "\(name)")
                }
            }
        }
    }

    @Test func `One whose folders are weighed holds no place, and a cancellation is its end`() {
        let bench = Bench.begun { $0.concurrency = 1 }
        let transfer = bench.go()
        let next = bench.go()
        bench.attemptEnds(transfer, .weighed)
        #expect(bench.begun == [next])
        #expect(bench.queue.state(of: transfer) == .running && bench.wait(transfer) == nil)
        bench.call { $0.cancel(transfer, at: $1) }
        #expect(bench.decisions == [.end(transfer, .cancelled, nil)])
        #expect(bench.call { $0.ended(transfer, at: $1) })
        // The weight comes late.
        #expect(!bench.queue.awaitsEnd(transfer))
        #expect(!bench.call { $0.attemptEnded(transfer, .finished, at: $1) })
        #expect(!bench.call { $0.ended(transfer, at: $1) })
    }

    @Test func `One that was refused keeps that end when it is cancelled before the end is written`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.attemptEnds(transfer, .finished)
        bench.call { $0.cancel(transfer, at: $1) }
        #expect(bench.decisions.isEmpty)
        #expect(bench.call { $0.ended(transfer, at: $1) })
    }

    @Test func `A dead process takes nothing from what is being weighed`() {
        let bench = Bench.begun()
        let transfer = bench.go()
        bench.attemptEnds(transfer, .weighed)
        bench.call { $0.processLost(at: $1) }
        #expect(bench.queue.awaitsEnd(transfer) && bench.begun.isEmpty)
    }
}
