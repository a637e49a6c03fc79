import Conditions
import TaskModel
import Testing

/// The bookkeeping of answers, without a bus.
@Suite("Properties of a service")
struct BusServiceTests {
    private static let idle = BusProperty(path: "/", interface: "i", name: "IdleHint", type: .bool)

    private func at(_ seconds: Int64) -> ClockReading {
        ClockReading(instant: Instant(nanoseconds: 0) + .seconds(seconds), time: Timestamp(nanoseconds: 0))
    }

    @Test("Changes while a property is being read are one more reading, not one each")
    func coalescing() {
        var reads = 0
        let service = BusService("s", [Self.idle], changed: ChangeFlag())
        service.onRead = { _, _ in reads += 1 }
        service.setOwner(":1.1")
        #expect(reads == 1)
        for _ in 0..<1000 { service.read() }
        #expect(reads == 1)
        service.take(.bool(true), of: 0, generation: service.generation, isLate: false, at: at(1))
        #expect(reads == 2)
        service.take(.bool(true), of: 0, generation: service.generation, isLate: false, at: at(1))
        #expect(reads == 2)
    }

    @Test("An earlier owner's answer does not count")
    func generations() {
        let service = BusService("s", [Self.idle], changed: ChangeFlag())
        service.setOwner(":1.1")
        let first = service.generation
        service.setOwner(":1.2")
        service.take(.bool(true), of: 0, generation: first, isLate: false, at: at(1))
        #expect(service.values == [nil])
        service.take(.bool(false), of: 0, generation: service.generation, isLate: false, at: at(1))
        #expect(service.values == [.bool(false)])
        service.setOwner("")
        #expect(service.values == [nil])
    }

    @Test("One that does not answer is asked again, less and less often, until it does")
    func patience() {
        var reads = 0
        let service = BusService("s", [Self.idle], changed: ChangeFlag())
        service.onRead = { _, _ in reads += 1 }
        service.setOwner(":1.1")
        var now: Int64 = 0
        var pauses: [Int64] = []
        for _ in 0..<9 {
            service.take(nil, of: 0, generation: service.generation, isLate: true, at: at(now))
            let before = reads
            service.advance(to: at(now))
            #expect(reads == before)
            let pause = (service.retry - at(now).instant).nanoseconds / 1_000_000_000
            pauses.append(pause)
            now += pause
            service.advance(to: at(now))
            #expect(reads == before + 1)
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1800, 1800, 1800])
        service.take(.bool(true), of: 0, generation: service.generation, isLate: false, at: at(now))
        #expect(service.retry == .distantFuture)
    }

    @Test("While work waits for an idle machine and a user is active, the host asks logind every five minutes")
    func idleness() {
        var reads = 0
        let logind = BusService("s", [Self.idle], changed: ChangeFlag())
        logind.onRead = { _, _ in reads += 1 }
        logind.setOwner(":1.1")
        func answer(_ isIdle: Bool, _ now: Int64) {
            logind.take(.bool(isIdle), of: 0, generation: logind.generation, isLate: false, at: at(now))
        }
        let watch = IdlenessWatch(logind: logind)
        answer(false, 0)
        #expect(watch.nextDeadline == .distantFuture)  // no work waits
        watch.isWanted = true
        watch.advance(to: at(1))
        #expect(reads == 2)
        answer(false, 1)
        #expect(watch.nextDeadline == at(301).instant)
        watch.advance(to: at(300))
        #expect(reads == 2)
        watch.advance(to: at(301))
        #expect(reads == 3)
        answer(true, 301)
        #expect(watch.nextDeadline == .distantFuture)
    }
}
