import TaskModel
import Testing

@Suite("Places in traces")
struct TraceIdentityTests {
    @Test("are read as W3C Trace Context writes them, and nothing else is")
    func reading() {
        let identity = TraceIdentity(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        #expect(identity?.traceText == "0af7651916cd43dd8448eb211c80319c" && identity?.spanText == "b7ad6b7169203331")
        #expect(TraceIdentity(traceparent: "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later") != nil)
        for text in [
            "", "00", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] { #expect(TraceIdentity(traceparent: text) == nil, "\(text)") }
    }

    @Test("of a run are its id, and its spans differ")
    func ofRuns() {
        let run = ULID(high: 1, low: .max - 1)
        let root = TraceIdentity(of: run)
        #expect(root.traceText == "0000000000000001fffffffffffffffe" && root.spanText == "fffffffffffffffe")
        #expect(Set((0..<8).map { root.child($0).span }).count == 8 && root.child(2).span != 0)
        let parent = TraceIdentity(of: ULID(high: 7, low: 9))
        let below = TraceIdentity(of: run, under: parent)
        #expect(below.traceText == parent.traceText && below.span == root.span)
    }
}
