import TestSupport
import Testing

@Suite("Conformance: registration")
struct ConformanceRegistrationTests {
    @Test("Check 1: an identifier that is not permitted is not registered, and its submission throws notPermitted (3)")
    func notPermitted() throws {
        let daemon = try Conformance(["p1"]).serve()
        let lines = try daemon.work("register p2", "submit p2", "complete")
        #expect(lines == ["register p2 false", "refused p2 BGTaskSchedulerErrorDomain 3"])
        #expect(try daemon.runs("work").map(\.outcome) == ["succeeded"])
        // The journal has the error that the application's code got.
        let journal = try daemon.tell("journal")
        #expect(
            journal.contains("requestRefused") && journal.contains("no manifest permits com.ex.app.p2"), "\(journal)")
        #expect(try daemon.stop().status == 0)
    }

    struct Misuse: CustomStringConvertible {
        var step: String
        var sentence: String
        var description: String { step }
    }
    static let late = Misuse(
        step: "register late",
        sentence: "All launch handlers must be registered before application finishes launching")
    static let twice = Misuse(
        step: "register p1",
        sentence: "Launch handler for task with identifier com.ex.app.p1 has already been registered")
    static let unregistered = Misuse(
        step: "submit other", sentence: "No launch handler registered for task with identifier com.ex.app.other")

    private func traps(_ misuse: Misuse) throws {
        let daemon = try Conformance(["p1", "late", "other"]).serve()
        let lines = try daemon.work(misuse.step, "pending", "complete")
        let run = try daemon.run("work")
        #expect(run.outcome == "crashed" && run.signal == 6, "\(run)")
        #expect(lines.contains { $0.contains(misuse.sentence) }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("pending") }, "it continued")
        #expect(try daemon.pending().isEmpty)
        #expect(try daemon.stop().status == 0)
    }

    @Test("Check 2: registering after the launch aborts with the framework's sentence")
    func late() throws { try traps(Self.late) }

    @Test("Check 3: registering again aborts with the framework's sentence")
    func twice() throws { try traps(Self.twice) }

    @Test("Check 4: submitting what has no handler aborts with the framework's sentence")
    func unregistered() throws { try traps(Self.unregistered) }

    @Test("where misuse is only reported, the run continues and the journal has the sentence")
    func lenient() throws {
        var application = try Conformance(["p1", "late", "other"])
        application.set("misuse", "report")
        let daemon = try application.serve()
        let lines = try daemon.work(
            Self.late.step, Self.twice.step, Self.unregistered.step, "pending", "complete")
        #expect(lines.contains { $0.hasPrefix("pending") }, "\(lines)")
        let run = try daemon.run("work")
        #expect(run.outcome == "succeeded", "\(run)")
        let journal = try daemon.tell("journal")
        for misuse in [Self.late, Self.twice, Self.unregistered] {
            #expect(run.diagnostics.contains { $0.contains(misuse.sentence) }, "\(misuse): \(run.diagnostics)")
            #expect(journal.contains(misuse.sentence), "\(misuse): \(journal)")
        }
        #expect(try daemon.stop().status == 0)
    }
}
