import TaskModel
import Testing
import Worker

@Suite("What a program says of itself")
struct ProgramNoticesTests {
    private static func hear(_ parts: [String]) -> (notices: ProgramNotices, progress: [String]) {
        var notices = ProgramNotices()
        var progress: [String] = []
        for part in parts { notices.take(Array(part.utf8)) { progress.append("\($0)/\($1) \($2)") } }
        return (notices, progress)
    }

    @Test(
        "is read line by line, however it is cut",
        arguments: [
            ["PROGRESS=3/10 copied a\nPROGRESS=4/10\n"], ["PROGRESS=3/10 cop", "ied a\nPROGRESS=4", "/10\n"],
            ["P", "ROGRESS=3/10 copied a", "\n", "PROGRESS=4/10\n"],
        ])
    func progress(_ parts: [String]) {
        #expect(Self.hear(parts).progress == ["3/10 copied a", "4/10 "])
    }

    @Test(
        "counts for nothing when it is no notice",
        arguments: [
            "PROGRESS=3\n", "PROGRESS=-1/10\n", "PROGRESS=a/b\n", "PROGRESS=\n", "\n\n", "COMPLETED=maybe\n",
            "DEFER=9\n",
            "DEFER=0s\n", "DEFER=8d\n", "DEFER\n", "SECRET=x\n", "COMPLETED=success",
            "PROGRESS=1/2 " + String(repeating: "x", count: 2000) + "\n",
        ])
    func nonsense(_ text: String) {
        let heard = Self.hear([text])
        #expect(heard.progress == [] && heard.notices.success == nil && heard.notices.deferral == nil)
    }

    @Test("says of its success and its next time what came last")
    func last() {
        let notices = Self.hear(["COMPLETED=success\nCOMPLETED=failure\nDEFER=5s\nDEFER=90s\n"]).notices
        #expect(notices.success == false)
        #expect(notices.deferral?.pause == .seconds(90))
    }
}
