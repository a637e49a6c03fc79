import Learning
import Testing

@Suite("An observation")
struct ObservationTests {
    @Test(
        "is read back from its line, whatever its place is",
        arguments: ["/srv/a b", "/srv/a\tb", "/a\nb", "/a\\tb", "/a\\", ""])
    func lines(_ place: String) throws {
        let observation = Observation(.create, place, by: "so\\me", detail: "x\ty")
        let line = observation.line
        #expect(line.hasSuffix("\n") && line.dropLast().allSatisfy { $0 != "\n" })
        #expect(Observation(line: line.dropLast()) == observation)
    }

    @Test(
        "is none in a line of another kind",
        arguments: ["", "read", "read\t/a\tsh", "rad\t/a\tsh\t", "read\t/a\tsh\t\t"])
    func faults(_ line: String) {
        #expect(Observation(line: line[...]) == nil)
    }
}
