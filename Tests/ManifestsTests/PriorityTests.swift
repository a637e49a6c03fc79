import Manifests
import TaskModel
import Testing

/// `priority`: which of the tasks of a kind starts first.
struct PriorityTests {
    private func read(_ kind: String, _ priority: String) -> ManifestResult {
        let task = #"{"kind":"\#(kind)","handler":{"command":["/bin/true"]}\#(priority)}"#
        let text = #"{"identifier":"a","tasks":{"a.one":\#(task)}}"#
        return ManifestDecoder.decode(bytes: Array(text.utf8), path: "m.json", folder: "/m", profile: .modern)
    }

    @Test(arguments: [("low", WorkPriority.low), ("normal", .normal), ("high", .high)])
    func `A word is read`(_ word: String, _ priority: WorkPriority) throws {
        let result = read("processing", #","priority":"\#(word)""#)
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        #expect(try #require(result.application).tasks.first?.priority == priority)
    }

    @Test func `Without one a task is as urgent as most`() throws {
        #expect(try #require(read("processing", "").application).tasks.first?.priority == .normal)
    }

    @Test(arguments: [("processing", "\"urgent\""), ("processing", "1"), ("continuedProcessing", "\"high\"")])
    func `Another word, and one for work that a user waits for, is a fault`(_ kind: String, _ value: String) {
        let errors = read(kind, #","priority":\#(value)"#).diagnostics.filter { $0.severity == .error }
        #expect(errors.contains { $0.path == "$.tasks[\"a.one\"].priority" }, "\(errors)")
    }
}
