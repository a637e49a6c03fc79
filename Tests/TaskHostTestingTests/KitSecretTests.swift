import BackgroundTasks
import Foundation
import Synchronization
import TaskHostExtensions
import TaskHostTesting
import Testing

@Suite("The testing kit gives runs their secrets and their place in a trace")
struct KitSecretTests {
    typealias App = TestApplication

    /// What handlers found, in order.
    private final class Found: Sendable {
        let texts = Mutex<[String]>([])

        func note(secretsOf task: BGTask) {
            for name in ["token", "other"] {
                let text = task.secret(name).map { String(decoding: $0, as: UTF8.self) } ?? "none"
                texts.withLock { $0.append(text) }
            }
            task.setTaskCompleted(success: true)
        }

        func note(traceOf task: BGTask) {
            texts.withLock { $0.append(task.traceparent ?? "none") }
            task.setTaskCompleted(success: true)
        }
    }

    @Test("a run has the secrets that its task had when it started, and no other task's")
    func secrets() async throws {
        let found = Found()
        let application = App()
        try await withHost {
            App.register(App.refresh) { found.note(secretsOf: $0) }
            App.register(App.index) { application.hold($0) }
        } _: { host in
            try await host.launch(App.refresh)
            try host.setSecret("token", of: App.refresh, to: Data("first".utf8))
            try host.setSecret("token", of: App.index, to: Data("another task's".utf8))
            try await host.launch(App.refresh)
            try host.setSecret("token", of: App.refresh, to: Data())
            try await host.launch(App.refresh)
            try host.setSecret("token", of: App.refresh, to: nil)
            try await host.launch(App.refresh)
            #expect(found.texts.withLock { $0 } == ["none", "none", "first", "none", "", "none", "none", "none"])
            // Later texts are those of later runs.
            let run = try await host.start(App.index)
            try host.setSecret("token", of: App.index, to: Data("rotated".utf8))
            let task = try #require(application.tasks.first)
            #expect(task.secret("token") == Data("another task's".utf8))
            task.setTaskCompleted(success: true)
            #expect(try await run.end().succeeded)
            #expect(throws: TestHostError.self) { try host.setSecret("token", of: "com.example.none", to: nil) }
        }
    }

    @Test("each run has its own place in a trace, which is its id")
    func trace() async throws {
        let found = Found()
        try await withHost {
            App.register(App.refresh) { found.note(traceOf: $0) }
        } _: { host in
            for _ in 0..<2 { try await host.launch(App.refresh) }
            let texts = found.texts.withLock { $0 }
            #expect(Set(texts).count == 2)
            #expect(texts.allSatisfy { $0.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil }, "\(texts)")
        }
    }
}
