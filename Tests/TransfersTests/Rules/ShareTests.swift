import TaskModel
import Testing
import Transfers

/// No application's transfers keep those of the others from beginning.
struct ShareTests {
    @Test func `One application's transfers leave a place for another`() {
        let bench = Bench.begun {
            $0.perHost = 100
        } session: {
            $0.connectionsPerHost = 100
        }
        let slow = (0..<20).map { _ in bench.go() }
        #expect(bench.queue.counts.running == 15 && bench.wait(slow[15]) == .concurrency)
        let second = bench.addSession(of: bench.other)
        let quick = bench.go(in: second)
        #expect(bench.begun == [quick])
        #expect(bench.queue.check() == nil)
    }

    /// Four places: two of one application, one of another, and a third waits.
    private func crowded() -> (Bench, slow: [TransferHandle], next: TransferHandle) {
        let bench = Bench.begun { $0.concurrency = 4 }
        var slow = (0..<3).map { _ in bench.go() }
        slow.append(bench.go(in: bench.addSession(of: bench.other)))
        let third = bench.addSession(of: ApplicationIndex(number: 2))
        let next = bench.go(in: third)
        #expect(bench.wait(next) == .concurrency)
        return (bench, slow, next)
    }

    @Test func `A slow download gives its place up while others wait, and resumes later without a try less`() {
        let (bench, slow, next) = crowded()
        for transfer in slow.dropFirst() { bench.progress(transfer, 1 << 20) }
        bench.progress(slow[0], 60)
        bench.pass(.seconds(59))
        #expect(bench.stopped.isEmpty)
        bench.pass(.seconds(1))
        #expect(bench.stopped == [slow[0]])
        bench.attemptEnds(slow[0], .stopped)
        #expect(bench.begun == [next])
        #expect(bench.wait(slow[0]) == .concurrency && bench.left(slow[0]) == .minutes(1))
        // No other transfer needs the place.
        bench.finish(next)
        #expect(bench.begun == [slow[0]])
        // The next failure is its first.
        bench.attemptEnds(slow[0], .interrupted(isNetwork: false, after: nil))
        #expect(bench.left(slow[0]).map { $0 <= .milliseconds(1250) } == true)
        #expect(bench.queue.check() == nil)
    }

    @Test func `Slow ones continue while none waits, or only their own application does`() {
        let bench = Bench.begun { $0.concurrency = 2 }
        let own = (0..<3).map { _ in bench.go() }
        bench.pass(.minutes(10))
        #expect(bench.stopped.isEmpty && bench.wait(own[2]) == .concurrency)
        #expect(bench.untilDeadline.map { $0 > .minutes(60) } == true)
    }

    @Test func `Those that are quick enough, and uploads, keep their places`() {
        let bench = Bench.begun { $0.concurrency = 2 }
        let quick = bench.go()
        let upload = bench.go { $0.request.kind = .upload }
        let next = bench.go(in: bench.addSession(of: bench.other))
        for minute in 1...5 {
            bench.progress(quick, Int64(minute) * 60 * 1024)
            bench.pass(.minutes(1))
            #expect(bench.stopped.isEmpty && bench.wait(next) == .concurrency)
        }
        bench.finish(upload)
        #expect(bench.begun == [next])
    }

    @Test func `One that rests is suspended, cancelled and resumed like any other`() {
        let (bench, slow, _) = crowded()
        bench.pass(.minutes(1))
        #expect(bench.stopped.count == 1)
        bench.attemptEnds(slow[0], .stopped)
        bench.call { $0.suspend(slow[0], at: $1) }
        #expect(bench.wait(slow[0]) == .suspended && bench.queue.check() == nil)
        bench.pass(.minutes(2))
        bench.resume(slow[0])
        #expect(bench.wait(slow[0]) != .suspended && bench.queue.check() == nil)
        bench.call { $0.cancel(slow[0], at: $1) }
        #expect(bench.queue.check() == nil)
    }
}
