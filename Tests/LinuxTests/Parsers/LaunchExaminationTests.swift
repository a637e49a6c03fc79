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
}
