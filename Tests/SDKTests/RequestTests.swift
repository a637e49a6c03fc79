import TestSupport
import Testing

@Suite("Task requests")
struct RequestTests {
    @Test("Checks 9 and 10: submit, list, cancel, and errors with code, domain and a sentence")
    func requests() throws {
        let id = "com.ex.app.work"
        let lines = try Worker.run(
            "Requests", permitted: ["1:r1", "2:p1", "4:h1", "2:work"],
            ["run=\(id)", "text=ready", "code=2", "end=\(id)"]
        ).lines
        let said = lines.filter { $0.hasPrefix("log ") }.map { String($0.dropFirst("log \(id) 2 ".count)) }
        #expect(said.contains("completion true"))
        #expect(
            said.filter { $0.hasPrefix("pending") } == [
                "pending com.ex.app.r1 BGAppRefreshTaskRequest", "pending com.ex.app.p1 BGProcessingTaskRequest",
                "pending com.ex.app.h1 BGHealthResearchTaskRequest",
            ])
        #expect(said.contains("in 900"))
        #expect(said.contains("power true network true") && said.contains("power false network false"))
        // What was listed are copies: changing them changes nothing.
        #expect(said.contains("unchanged true"))
        #expect(said.filter { $0.hasPrefix("left") } == ["left 2", "left 0"])
        #expect(said.contains("code 2 BGTaskSchedulerErrorDomain"))
        #expect(said.contains("The task request was not taken: refused by script; try code 0"))
    }

    @Test(
        "iOS 27's rules: a request that is submitted on the main thread is reported, and taken",
        arguments: ["26", "27"])
    func mainThread(_ sdk: String) throws {
        let id = "com.ex.app.work"
        let lines = try Worker.run(
            "Requests", permitted: ["1:r1", "2:p1", "4:h1", "2:work"], options: ["--sdk", sdk],
            ["run=\(id)", "text=ready", "code=2", "end=\(id)"]
        ).lines
        let told = lines.filter { $0.hasPrefix("report submitTaskRequest was called on the main thread") }
        #expect(told.count == (sdk == "27" ? 1 : 0), "\(lines)")
        #expect(told.allSatisfy { $0.contains("com.ex.app.p1; ") })
    }

    @Test("Check 29: continued processing is registered after launch, for one further part of a pattern")
    func continued() throws {
        let (start, job) = ("com.ex.app.start", "com.ex.app.job.7")
        let lines = try Worker.run(
            "Continued", permitted: ["3:job.*", "3:batch.*", "2:start", "2:pattern"], options: ["--resources", "1"],
            ["run=\(start)", "text=submitted", "run=\(job)", "end=\(job)"]
        ).lines
        #expect(lines.contains("gpu true"))
        #expect(lines.contains("log com.ex.app.start 2 known true far false"))
        #expect(lines.contains("submitted com.ex.app.job.7 kind=3 flags=8 in=0 title=Export resources=1"))
        #expect(lines.contains("log com.ex.app.job.7 2 title Export"))
        #expect(
            lines.filter { $0.hasPrefix("progress") } == [
                "progress com.ex.app.job.7 0/4", "progress com.ex.app.job.7 1/4", "progress com.ex.app.job.7 4/4",
            ])
        #expect(lines.contains("title com.ex.app.job.7 Export|1 of 4"))
    }

    @Test("one handler serves every identifier that its pattern stands for")
    func pattern() throws {
        let (start, batch) = ("com.ex.app.pattern", "com.ex.app.batch.9")
        let lines = try Worker.run(
            "Continued", permitted: ["3:batch.*", "2:start", "2:pattern"],
            ["run=\(start)", "text=title=Batch", "run=\(batch)", "end=\(batch)"]
        ).lines
        #expect(lines.contains("log com.ex.app.batch.9 2 by pattern com.ex.app.batch.9"))
        #expect(
            lines.filter { $0.hasPrefix("progress") } == [
                "progress com.ex.app.batch.9 0/2", "progress com.ex.app.batch.9 0/1000",
                "progress com.ex.app.batch.9 250/1000", "progress com.ex.app.batch.9 1000/1000",
            ])
        #expect(lines.contains("log com.ex.app.batch.9 2 observed 0.250000"))
    }

    @Test("a host without requests refuses them with a sentence")
    func noScheduler() throws {
        let id = "com.MeasurementSample.refresh"
        let run = try Worker.run(
            Built.seedSample(), options: ["--no-extensions", "1", "--permit", "1:\(id)"], ["run=\(id)", "end=\(id)"])
        #expect(run.command.output.contains("Could not schedule app refresh: Error Domain=BGTaskSchedulerErrorDomain"))
        #expect(run.command.output.contains("`taskhost serve`"))
        #expect(run.lines.contains("completed \(id) success"))
    }
}
