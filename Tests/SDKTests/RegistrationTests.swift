import TestSupport
import Testing

@Suite("Registration of launch handlers")
struct RegistrationTests {
    private let permitted = ["2:p1", "2:late", "2:twice", "2:unregistered", "2:absent"]

    private func misuse(_ name: String, strict: Bool) throws -> (output: String, signal: Int32?) {
        let run = try Worker.run(
            "Misuse", permitted: permitted, options: ["--strict", strict ? "1" : "0"],
            ["run=com.ex.app.\(name)", "end=com.ex.app.\(name)"])
        return (run.command.output, run.command.signal)
    }

    @Test("Check 1: an identifier that is not permitted is not registered, and submitting it is refused")
    func notPermitted() throws {
        let run = try Worker.run("Handlers", permitted: ["1:r1"], [])
        #expect(run.lines.contains("absent false"))
        #expect(run.command.succeeded)
        let submitted = try misuse("absent", strict: true)
        #expect(submitted.output.contains("log com.ex.app.absent 2 not permitted"))
        #expect(submitted.signal == nil)
    }

    private static let sentences = [
        "late": "All launch handlers must be registered before application finishes launching",
        "twice": "Launch handler for task with identifier com.ex.app.late has already been registered",
        "unregistered": "No launch handler registered for task with identifier com.ex.app.p1",
    ]

    @Test("Checks 2, 3, 4: misuse aborts with the framework's sentence", arguments: ["late", "twice", "unregistered"])
    func strict(_ name: String) throws {
        let run = try misuse(name, strict: true)
        #expect(run.signal == 6)
        let sentence = try #require(Self.sentences[name])
        #expect(run.output.contains("reason: '\(sentence)'"))
        #expect(!run.output.contains("continued"))
    }

    @Test("misuse is reported and survived where the host is lenient", arguments: ["late", "twice", "unregistered"])
    func lenient(_ name: String) throws {
        let run = try misuse(name, strict: false)
        #expect(run.signal == nil)
        let sentence = try #require(Self.sentences[name])
        #expect(run.output.contains("report \(sentence); "))
        #expect(run.output.contains("continued"))
    }
}
