import Testing

@Suite("Launch handlers")
struct HandlerTests {
    private func run(_ kind: Int, _ name: String, _ steps: [String]) throws -> [String] {
        try Worker.run(
            "Handlers", permitted: ["\(kind):\(name)"],
            steps.map { $0.replacing("ID", with: "com.ex.app.\(name)") }
        ).lines
    }

    @Test("Check 18: handler and expiration handler run on the given queue")
    func queue() throws {
        let lines = try run(1, "r1", ["run=ID", "text=handler sees", "expire=ID/7", "end=ID"])
        #expect(lines.contains("log com.ex.app.r1 2 handler sees Q"))
        #expect(lines.contains("log com.ex.app.r1 2 expiration sees Q"))
        #expect(lines.contains("log com.ex.app.r1 2 reason 7"))
        #expect(lines.last == "completed com.ex.app.r1 failure")
    }

    @Test("Check 19: without a queue handlers run off the main thread, one at a time")
    func ownQueue() throws {
        let lines = try run(2, "p1", ["run=ID", "run=ID", "end=ID", "run=ID", "end=ID"])
        let seen = lines.filter { $0.hasPrefix("log ") }
        #expect(seen.count >= 2)
        #expect(Set(seen) == ["log com.ex.app.p1 2 main false together 1"])
    }

    @Test("on the main queue they run on the main thread, as do their tasks")
    func mainQueue() throws {
        let lines = try run(2, "main", ["run=ID", "end=ID"])
        #expect(lines.contains("log com.ex.app.main 2 main true"))
        #expect(lines.contains("log com.ex.app.main 2 still main true"))
    }

    @Test("Check 21: the expiration handler is cleared before it is called")
    func cleared() throws {
        let lines = try run(1, "r1", ["run=ID", "text=handler sees", "expire=ID/1", "end=ID"])
        #expect(lines.contains("log com.ex.app.r1 2 handler is left: false"))
        #expect(lines.count { $0.contains("expiration sees") } == 1)
    }

    @Test("Check 22: a run that expires without an expiration handler has none at the host")
    func noHandler() throws {
        let lines = try run(2, "silent", ["run=ID", "text=running", "expire=ID/1"])
        #expect(lines.contains("no-expiration-handler com.ex.app.silent"))
    }

    @Test("Check 24: the first completion counts, and the expiration handler never runs afterwards")
    func twice() throws {
        let lines = try run(2, "twice", ["run=ID", "end=ID", "text=completed-twice", "expire=ID/1"])
        #expect(lines.contains("completed com.ex.app.twice success"))
        #expect(lines.count { $0 == "completed-twice com.ex.app.twice" } == 1)
        #expect(!lines.contains { $0.contains("ran after completion") })
    }

    @Test("a handler that asks for another time has completed, and a bad one is refused")
    func later() throws {
        let lines = try run(2, "later", ["run=ID", "end=ID", "text=cleared", "expire=ID/1"])
        #expect(lines.count { $0 == "refused-deferral com.ex.app.later" } == 4)
        #expect(lines.contains("deferred com.ex.app.later 90"))
        #expect(lines.contains { $0.hasSuffix("deferred true again false cleared true") })
        #expect(!lines.contains { $0.contains("ran after completion") || $0.hasPrefix("completed ") })
    }

    @Test("under a host that knows no deferrals the task is not completed by one")
    func laterUnderAnOldHost() throws {
        let id = "com.ex.app.later"
        let lines = try Worker.run(
            "Handlers", permitted: ["2:later"], options: ["--old-host", "1"], ["run=\(id)", "end=\(id)"]
        ).lines
        #expect(lines.contains { $0.hasSuffix("deferred false again false cleared false") })
        #expect(lines.contains("completed \(id) success"))
    }

    @Test("a task that is dropped leaves its run unreported")
    func dropped() throws {
        #expect(try run(1, "dropped", ["run=ID", "end=ID"]).contains("unreported com.ex.app.dropped"))
    }

    @Test("a handler that waits and throws is cancelled by expiration and completes its run")
    func async() throws {
        let lines = try run(2, "async", ["run=ID", "text=half", "expire=ID/7", "end=ID"])
        #expect(lines.contains("log com.ex.app.async 2 size {\"size\":3} try 2"))
        #expect(lines.contains("progress com.ex.app.async 1/2 half"))
        #expect(lines.last == "completed com.ex.app.async failure")
    }
}
