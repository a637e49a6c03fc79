import Foundation
import TestSupport
import Testing

@Suite("Continued processing that is switched off and on while it runs", .enabled(if: !Places.isSanitized))
struct SwitchingTests {
    private let application: ServedApplication
    private let payload: TestSupport.Folder

    init() throws {
        payload = try TestSupport.Folder()
        let configuration = try payload.write("config.json", #"{ "limits": { "notificationsPerHour": 8 } }"#)
        application = try ServedApplication(
            Built.folder.get().appending(path: "libSwitching.so").path, file: "Documents/log.txt",
            members: [
                "backgroundModes": ["remote-notification", "processing"],
                "tasks": ["com.ex.app.job.*": ["kind": "continuedProcessing"]],
            ], options: ["--config", configuration.path])
        try application.tell("foreground", ServedApplication.identifier)
    }

    private func tell(_ verb: String) throws {
        let file = try payload.write("payload.json", try JSONSerialization.data(withJSONObject: ["do": verb]))
        try application.tell("notify", ServedApplication.identifier, "--payload", file.path)
    }

    /// Its lines of the history.
    private func jobs() throws -> [Substring] {
        try application.tell("history").split(separator: "\n").filter { $0.contains("com.ex.app.job.1") }
    }

    @Test("goes on, can be completed, and is followed by the one that was asked for meanwhile")
    func queued() throws {
        try tell("on")
        try application.wait(for: "began 1")
        try tell("off")
        try application.wait(for: "pending 0")
        try tell("on")
        try application.wait(for: "submitted", count: 2)
        try tell("move")
        try application.wait(for: "moved 1")
        #expect(try jobs().count { $0.contains("running") } == 1)
        try tell("done")
        try application.wait(for: "began 2")
        try tell("done")
        try application.waitUntil { try jobs().count { $0.contains("succeeded") } == 2 }
        let lines = try application.stop(lastLine: "began 2")
        #expect(lines.contains("authorized true"))
        #expect(!lines.contains { $0.hasPrefix("expired") || $0.hasPrefix("refused") }, "\(lines)")
    }

    @Test("can be ended by its user all the same")
    func cancelled() throws {
        try tell("on")
        try application.wait(for: "began 1")
        try tell("off")
        try application.wait(for: "pending 0")
        try tell("on at once")
        try tell("off")
        try application.wait(for: "pending 0", count: 2)
        let run = try #require(jobs().first?.split(separator: " ").first)
        try application.tell("cancel", String(run))
        try application.wait(for: "expired 1")
        let lines = try application.stop(lastLine: "expired 1")
        #expect(lines.filter { $0.hasPrefix("began") } == ["began 1"], "\(lines)")
    }
}
