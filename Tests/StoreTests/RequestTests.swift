import Record
import Store
import TaskModel
import Testing

struct RequestTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @Test func `A request comes back with everything that was put`() throws {
        var request = try store.sampleRequest("com.example.feeds.export", submitted: 5)
        request.kind = .continuedProcessing
        request.terms.earliestBeginDate = moment(90_000)
        request.terms.requiresExternalPower = true
        request.terms.requiresNetwork = true
        request.terms.strategy = .fail
        request.terms.requiredResources = .max
        request.terms.origin = .person
        request.attempt = 3
        request.failures = 1
        request.deferrals = 12
        request.leftOut = moment(4)
        request.notBefore = moment(7)
        request.scheduledFor = moment(6)
        request.title = "Exporting"
        request.subtitle = "12 feeds, ½ done"
        request.payload = [0, 255, 7]
        request.settings = Array(#"{"a":1}"#.utf8)
        try store.putRequest(request)
        try store.commit()
        #expect(try History(path: folder.database).requests() == [request])
    }

    @Test func `A new submission takes the place of the one that waits`() throws {
        var request = try store.sampleRequest(submitted: 1)
        try store.putRequest(request)
        request.submitted = moment(2)
        request.terms.requiresNetwork = true
        try store.putRequest(request)
        #expect(try store.history.requests() == [request])
        try store.forgetRequest(identity: request.identity, submitted: moment(1))
        #expect(try store.history.requests() == [request])
        try store.forgetRequest(identity: request.identity, submitted: moment(2))
        #expect(try store.history.requests() == [])
    }

    @Test func `A running request and the one that waits behind it are both kept`() throws {
        let run = try store.admit(0)
        var (running, waiting) = (try store.sampleRequest(submitted: 1), try store.sampleRequest(submitted: 2))
        try store.putRequest(running)
        try store.markRequestRunning(identity: running.identity, submitted: running.submitted, run: run)
        running.running = run
        #expect(try store.history.requests() == [running])
        try store.putRequest(waiting)
        #expect(try store.history.requests() == [running, waiting])
        try store.forgetRequest(identity: running.identity, submitted: running.submitted)
        #expect(try store.history.requests() == [waiting])
        // It starts, and waits for another attempt.
        try store.markRequestRunning(identity: waiting.identity, submitted: waiting.submitted, run: try store.admit(3))
        waiting.attempt = 2
        waiting.notBefore = moment(30_000)
        try store.putRequest(waiting)
        #expect(try store.history.requests() == [waiting])
    }

    @Test func `After a crash running requests wait again, unless a newer one does`() throws {
        let first = try store.sampleRequest("com.example.feeds.a", submitted: 1)
        let replaced = try store.sampleRequest("com.example.feeds.b", submitted: 2)
        let newer = try store.sampleRequest("com.example.feeds.b", submitted: 3)
        let untouched = try store.sampleRequest("com.example.feeds.c", submitted: 4)
        let interrupted = try store.sampleRequest("com.example.feeds.d", submitted: 5)
        let late = try store.sampleRequest("com.example.feeds.e", submitted: 6)
        for request in [first, replaced, interrupted, late] {
            try store.putRequest(request)
            let run = try store.admit(1, salt: UInt64(request.identity))
            try store.markRequestRunning(identity: request.identity, submitted: request.submitted, run: run)
        }
        try store.putRequest(newer)
        try store.putRequest(untouched)
        // The next time of a schedule: one is still to come, one has come.
        var coming = try store.sampleRequest("com.example.feeds.d", submitted: 7)
        var due = try store.sampleRequest("com.example.feeds.e", submitted: 8)
        (coming.terms.origin, due.terms.origin) = (.schedule, .schedule)
        (coming.scheduledFor, due.scheduledFor) = (moment(101), moment(100))
        try store.putRequest(coming)
        try store.putRequest(due)
        try store.commit()
        let next = try Store(path: folder.database)
        #expect(try next.recover(at: moment(100)) == (4, 2))
        var (again, back) = (first, interrupted)
        (again.attempt, back.attempt) = (2, 2)
        #expect(try next.history.requests() == [again, newer, untouched, back, due])
        #expect(try next.recover(at: moment(100)) == (0, 0))
    }

    @Test func `Only the submission that waits starts`() throws {
        let request = try store.sampleRequest(submitted: 1)
        try store.putRequest(request)
        // Begun and ended in one turn, so never put.
        try store.markRequestRunning(identity: request.identity, submitted: moment(2), run: sampleID(1))
        try store.markRequestRunning(identity: 77, submitted: moment(1), run: sampleID(1))
        #expect(try store.history.requests() == [request])
    }

    @Test func `Texts are cut between characters, and a payload that is too large is refused`() throws {
        var request = try store.sampleRequest(submitted: 1)
        request.title = "x" + String(repeating: "é", count: 600)
        request.payload = Array(repeating: 1, count: TaskRequest.maximumPayload)
        try store.putRequest(request)
        let kept = try store.history.requests()
        #expect(kept.first?.title == "x" + String(repeating: "é", count: 511))
        #expect(kept.first?.payload == request.payload)
        request.payload.append(1)
        #expect(throws: StoreError.self) { try store.putRequest(request) }
    }
}
