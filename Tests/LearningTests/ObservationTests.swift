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

    @Test("of a report is left out where no watcher can have written it")
    func report() {
        let lies = [
            "list\t//\tx\t", "write\tetc\tx\t", "create\t/etc/\tx\t", "create\t/a/./b\tx\t", "list\t/srv/..\tx\t",
            "create\t$MANIFEST\tx\t",
            "create\t\tx\t", "write\t/a/$STATE\tx\t", "tcp\t*:443\tx\t", "tcp\t1.2.3.4:*\tx\t",
            "tcp\t1.2.3.4:443\tx\t*", "none",
        ]
        let truth = "read\t/srv/a\tcat\t\ntcp\t[2001:db8::1]:443\tcurl\texample.com\n"
        let read = Observation.read(Array((lies.joined(separator: "\n") + "\n" + truth).utf8))
        #expect(read.map(\.place) == ["/srv/a", "[2001:db8::1]:443"])
        #expect(Observation.read(Array("read\t/a\tx\t\r\nread\t/b\tx\t\n".utf8)).map(\.place) == ["/a", "/b"])
        #expect(Observation.read(Array(String(repeating: "read\t/a\tx\t\n", count: 9).utf8), most: 4).count == 4)
    }
}
