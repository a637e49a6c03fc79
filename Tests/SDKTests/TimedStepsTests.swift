import BackgroundTasks
import Testing

@Suite("Progress that is time alone")
struct TimedStepsTests {
    private static let second: UInt64 = 1_000_000_000
    private struct Step {
        var count: Int64
        var second: Double
        var used: UInt64
    }

    /// What is found in these steps: a count, seconds, and the processor time in milliseconds until then.
    private func found(_ steps: [Step]) -> [String] {
        var timed = TimedSteps()
        return steps.compactMap { step in
            timed.take(step.count, at: UInt64(step.second * Double(Self.second))) { step.used * 1_000_000 }
        }
    }

    private func timer(_ count: Int, every seconds: Double = 1, used: UInt64 = 0) -> [Step] {
        steps(count, time: { Double($0) * seconds }, used: used)
    }

    private func steps(
        _ number: Int, count: (Int) -> Int = { $0 }, time: (Int) -> Double = { Double($0) }, used: UInt64 = 0
    ) -> [Step] {
        (0..<number).map { step in
            Step(count: Int64(count(step)), second: time(step), used: UInt64(step) * used)
        }
    }

    @Test("is found after twenty equal steps at equal times of a process that does nothing, once")
    func found() {
        #expect(found(timer(20)).isEmpty)
        #expect(found(timer(200)) == ["20 steps of 1 in a row, 1.0 s apart, with less than 1 % of a processor"])
        #expect(found(timer(22, every: 0.5)).first?.contains("0.5 s apart") == true)
        // A timer is late now and then.
        #expect(found(steps(40, count: { $0 * 5 }, time: { $0 % 2 == 0 ? Double($0) + 0.01 : Double($0) })).count == 1)
    }

    @Test("is not work that computes, that varies, that stands still between, or that is quick")
    func others() {
        #expect(found(timer(200, used: 20)).isEmpty)
        #expect(found(steps(200, time: { Double($0) + Double($0 % 3) * 0.2 })).isEmpty)
        #expect(found(steps(200, count: { $0 * $0 })).isEmpty)
        #expect(found(steps(200, count: { $0 % 15 })).isEmpty)
        #expect(found(timer(2000, every: 0.01)).isEmpty)
    }
}
