import Scheduling
import TaskModel
import Testing

/// Requests whose launches lacked something of the host's or the machine's.
struct ShortageTests {
    @Test("waits behind its own gate, with pauses that double, and no try is used up", arguments: Shortage.allCases)
    func pauses(_ shortage: Shortage) throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        for pause in [1, 2, 4, 8] as [Int64] {
            bench.lack(shortage, request)
            let view = try #require(bench.request(request))
            #expect(view.request.attempt == 1)
            #expect(view.shortage?.cause == shortage)
            #expect(bench.holding(request) == [.shortage])
            #expect(bench.report(.shortage, of: request)?.found.contains(shortage.wanted) == true)
            #expect(bench.untilDeadline == .seconds(pause))
            bench.pass(.milliseconds(pause * 1000 - 1))
            #expect(bench.started == [])
            bench.pass(.milliseconds(1))
            #expect(bench.started == [request])
        }
        #expect(bench.scheduler.waits(of: request, at: bench.now).map(\.gate) == [.shortage])
    }

    @Test func `One whose handler had been invoked has the next attempt, and no failure more`() throws {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        bench.lack(.zygote, request, hasStarted: true)
        #expect(bench.request(request)?.request.attempt == 2)
        #expect(bench.scheduler.memory(of: bench.application).crashes == 0)
    }

    @Test func `Ten returns for one cause in an hour are reported, the pause is an hour, and the request stays`()
        throws
    {
        let bench = Bench()
        let task = bench.add(.processing)
        bench.begin()
        let request = try bench.submit(task)
        for _ in 0..<9 {
            bench.lack(.descriptors, request)
            #expect(!bench.decisions.contains(.starved(request)))
            bench.pass(try #require(bench.untilDeadline))
        }
        bench.lack(.descriptors, request)
        #expect(bench.decisions.contains(.starved(request)))
        #expect(bench.report(.shortage, of: request)?.found.contains("once an hour") == true)
        for _ in 0..<3 {
            #expect(bench.untilDeadline == .seconds(3600))
            bench.pass(.seconds(3600))
            #expect(bench.started == [request])
            bench.lack(.descriptors, request)
            // Once is enough.
            #expect(!bench.decisions.contains(.starved(request)))
        }
        bench.pass(.seconds(3600))
        bench.end(request)
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test func `Another cause begins its own count, and a run that began ends it`() throws {
        let bench = Bench()
        let task = bench.add(.processing) { $0.attempts = 3 }
        bench.begin()
        let request = try bench.submit(task)
        for shortage in [Shortage.memory, .memory, .processes] {
            bench.lack(shortage, request)
            bench.pass(try #require(bench.untilDeadline))
        }
        #expect(bench.request(request)?.shortage?.returns == 1)
        bench.end(request, .failed)
        #expect(bench.request(request)?.shortage == nil)
        #expect(bench.holding(request) == [.backoff])
    }

    @Test func `A schedule's next time lacks the same, and waits out the pause`() throws {
        let bench = Bench()
        let schedule = bench.every(.seconds(4))
        let task = bench.add(.processing) { $0.schedule = schedule }
        bench.begin()
        bench.pass(.seconds(4))
        var request = try #require(bench.started.first)
        for _ in 0..<10 {
            bench.lack(.descriptors, request)
            request = try #require(bench.pendingRequest(of: task))
            while bench.started.isEmpty { bench.pass(try #require(bench.untilDeadline)) }
            request = try #require(bench.started.first)
            if bench.request(request)?.shortage?.returns == 9 { break }
        }
        bench.lack(.descriptors, request)
        let heir = try #require(bench.pendingRequest(of: task))
        #expect(bench.decisions.contains(.starved(heir)))
        #expect(bench.holding(heir).contains(.shortage))
        bench.pass(.seconds(3599))
        #expect(bench.started == [])
        bench.pass(.seconds(5))
        #expect(bench.started == [heir])
    }

    @Test func `A launch that its library holds up counts as a crash, for retries and for the quarantine`() throws {
        let bench = Bench()
        let task = bench.add(.processing) {
            $0.attempts = 5
            $0.backoff = .seconds(1)
        }
        bench.begin()
        let request = try bench.submit(task)
        for attempt in 1...3 as ClosedRange<UInt32> {
            #expect(bench.request(request)?.request.attempt == attempt)
            let end = RequestEnd(outcome: .refused, reason: nil, cpuTime: nil, hasStarted: false, isHung: true)
            bench.call { $0.ended(request, end, at: $1) }
            if attempt < 3 { bench.pass(try #require(bench.untilDeadline)) }
        }
        #expect(bench.holding(request).contains(.quarantine))
    }
}

extension Bench {
    fileprivate func lack(_ shortage: Shortage, _ request: RequestHandle, hasStarted: Bool = false) {
        let end = RequestEnd(
            outcome: .interrupted, reason: nil, cpuTime: nil, shortage: shortage, hasStarted: hasStarted)
        call { $0.ended(request, end, at: $1) }
    }
}
