import Linux
import TaskModel
import Testing
import Workers

@Suite("What a slow launch waited for")
struct LaunchExaminationTests {
    @Test(
        "The time without a processor is the second number",
        arguments: [
            ("0 3656361 1\n", 3_656_361), ("812 9000000000 4", 9_000_000_000), ("0 0 0\n", 0), ("12", nil), ("", nil),
            ("1 x 2\n", nil), ("1 -4 2\n", nil),
        ] as [(String, Int64?)])
    func processor(_ text: String, _ expected: Int64?) {
        #expect(LaunchExamination.schedulerDelay(in: text)?.nanoseconds == expected)
    }

    @Test("The time for a disk is field 42 behind a name of any form, and unknown where it stays 0")
    func disk() {
        let rest = (3...52).map { $0 == 3 ? "D" : $0 == 42 ? "150" : "7" }.joined(separator: " ")
        let second = Int64(ProcessStatus.ticksPerSecond)
        #expect(LaunchExamination.diskDelay(in: "41 (a) b) \(rest)")?.nanoseconds == 150 * 1_000_000_000 / second)
        let none = (3...52).map { $0 == 42 ? "0" : "7" }.joined(separator: " ")
        #expect(LaunchExamination.diskDelay(in: "41 (a) \(none)") == nil)
        #expect(LaunchExamination.diskDelay(in: "41 (a) D 7 7") == nil)
        #expect(LaunchExamination.diskDelay(in: "") == nil)
    }

    @Test(
        "The stall of a control group is the total of the first line, in microseconds",
        arguments: [
            (
                "some avg10=0.00 avg60=0.12 avg300=0.00 total=1500\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n",
                1_500_000
            ),
            ("some avg10=0.00 total=0\n", 0), ("full avg10=0.00 total=5\n", nil), ("some avg10=0.00\n", nil), ("", nil),
        ] as [(String, Int64?)])
    func stall(_ text: String, _ expected: Int64?) {
        #expect(CounterText.stall(in: text) == expected)
    }

    @Test("A wait for a processor counts while it lasts, though the kernel adds it when it ends")
    func delay() {
        func delay(_ told: Int64?, _ state: Character, _ used: Int64?, age: Int64? = nil) -> TimeSpan? {
            LaunchExamination.delay(
                told: told.map(TimeSpan.milliseconds), state: state, used: used.map(TimeSpan.milliseconds),
                of: .milliseconds(1000), age: age.map(TimeSpan.milliseconds))
        }
        #expect(delay(86, "R", 7) == .milliseconds(993) && delay(nil, "R", 7) == .milliseconds(993))
        #expect(delay(600, "R", 400) == .milliseconds(600) && delay(0, "R", 1200) == .zero)
        #expect(delay(86, "S", 7) == .milliseconds(86) && delay(86, "R", nil) == .milliseconds(86))
        #expect(delay(nil, "S", 7) == nil)
        // What forks it had no processor either.
        #expect(delay(86, "S", 7, age: 300) == .milliseconds(786) && delay(86, "S", 7, age: 2000) == .milliseconds(86))
    }

    @Test("The library is to blame for a slow launch only when it may be mapped, and the machine was not in the way")
    func cause() {
        func cause(
            waited: Int64 = 0, used: Int64? = 10, isAsleep: Bool? = true, before: Int64? = 10,
            isParentBusy: Bool = false, _ hasConfined: Bool = true
        ) -> LaunchExamination.Cause {
            var found = LaunchExamination()
            found.processor = .milliseconds(waited)
            found.used = used.map { .milliseconds($0) }
            found.isAsleep = isAsleep
            found.isParentBusy = isParentBusy
            return found.cause(
                limit: .milliseconds(1000), after: .milliseconds(1000), hasConfined: hasConfined,
                usedBefore: before.map(TimeSpan.milliseconds))
        }
        #expect(cause(waited: 501) == .waiting && cause(waited: 501, false) == .waiting)
        #expect(cause(waited: 500) == .library && cause() == .library)
        #expect(cause(waited: 500, false) == .worker && cause(false) == .worker)
        // What it waits for may have no processor: the first look tells nothing, and it got on since.
        #expect(cause(before: nil, false) == .unclear && cause(before: 8, false) == .unclear)
        #expect(cause(before: nil) == .library && cause(waited: 501, before: nil, false) == .waiting)
        // Who writes the maps of its user is ready to run.
        #expect(cause(isParentBusy: true, false) == .unclear && cause(isParentBusy: true) == .library)
        // Pages that came slowly, or a machine with much to do.
        #expect(cause(used: 544, isAsleep: false) == .unclear && cause(used: 544, isAsleep: false, false) == .unclear)
        #expect(cause(used: 900, isAsleep: false) == .library && cause(used: 899, isAsleep: false) == .unclear)
        // What the kernel hides is no excuse.
        #expect(cause(used: nil, isAsleep: false) == .library && cause(isAsleep: nil) == .library)
    }
}
