import BackgroundTasks
import Foundation
import Synchronization
import TaskHostTesting
import Testing
import UIKit

/// Answers fetches and notifications as a test says.
final class FetchingDelegate: UIResponder, UIApplicationDelegate {
    struct Script: Sendable {
        var heard: [String] = []
        /// nil: it does not answer.
        var answer: UIBackgroundFetchResult? = .newData
    }
    nonisolated static let script = Mutex(Script())

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(3600)
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping (
                UIBackgroundFetchResult
            ) -> Void
    ) { hear("fetch", completionHandler) }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { hear("push \(userInfo["word"] as? String ?? "-")", completionHandler) }

    private func hear(_ word: String, _ completionHandler: (UIBackgroundFetchResult) -> Void) {
        let answer = Self.script.withLock { script in
            script.heard.append(word)
            return script.answer
        }
        if let answer { completionHandler(answer) }
    }
}

/// Keeps the payloads of its runs.
final class Alarm: Sendable {
    private let payloads = Mutex<[String]>([])
    var heard: [String] { payloads.withLock { $0 } }

    func take(_ task: BGTask) {
        payloads.withLock { $0.append(String(decoding: task.payload, as: UTF8.self)) }
        task.setTaskCompleted(success: true)
    }
}

@Suite("The testing kit calls for what the host calls for itself", .serialized)
struct EventTests {
    typealias App = TestApplication

    private func withDelegate(
        _ answer: UIBackgroundFetchResult?, patience: Duration = .seconds(2),
        modes: [String] = ["fetch", "remote-notification"],
        _ body: (TestHost) async throws -> Void
    ) async throws {
        try await withHost(
            [App.index: .processing], backgroundModes: modes, patience: patience, launching: { FetchingDelegate.main() }
        ) { host in
            FetchingDelegate.script.withLock { $0 = FetchingDelegate.Script(answer: answer) }
            try await body(host)
        }
    }

    @Test(
        "a fetch is answered, and comes again at the interval that the application asked for",
        arguments: [
            (UIBackgroundFetchResult.newData, FetchAnswer.newData, RunOutcome.succeeded),
            (.noData, .noData, .succeeded), (.failed, .failed, .failed),
        ])
    func fetch(_ given: UIBackgroundFetchResult, _ answer: FetchAnswer, _ outcome: RunOutcome) async throws {
        try await withDelegate(given) { host in
            let result = try await host.fetch()
            #expect(result.fetchAnswer == answer && result.outcome == outcome)
            await host.advance(by: .seconds(3599))
            #expect(host.results.count == 1)
            await host.advance(by: .seconds(2))
            #expect(host.results.map(\.fetchAnswer) == [answer, answer])
            #expect(FetchingDelegate.script.withLock { $0.heard } == ["fetch", "fetch"])
            #expect(host.misuses.isEmpty)
        }
    }

    @Test("an unanswered fetch ends the process when its time is up, and doubles the next pause")
    func unanswered() async throws {
        try await withDelegate(nil, patience: .milliseconds(50)) { host in
            await host.advance(by: .seconds(3601))
            #expect(host.running.count == 1)
            await host.advance(by: .seconds(30))
            #expect(host.results.map(\.outcome) == [.overran])
            #expect(host.terminations == ["backgroundFetchTimeout"])
            await host.advance(by: .seconds(3700))
            #expect(host.results.count == 1)
            await host.advance(by: .seconds(3600))
            #expect(FetchingDelegate.script.withLock { $0.heard } == ["fetch", "fetch"])
        }
    }

    @Test("notifications bring their payload; a fourth within the hour waits, and comes when the hour ends")
    func notifications() async throws {
        try await withDelegate(.newData) { host in
            for number in 1...3 {
                let result = try #require(try await host.notify(#"{"word": "\#(number)"}"#))
                #expect(result.succeeded && result.fetchAnswer == .newData)
            }
            #expect(try await host.notify(#"{"word": "4"}"#) == nil)
            #expect(host.waiting("com.example.application:push") != nil && host.submitted.isEmpty)
            #expect(FetchingDelegate.script.withLock { $0.heard } == ["push 1", "push 2", "push 3"])
            await host.advance(by: .seconds(3601))
            #expect(FetchingDelegate.script.withLock { $0.heard.filter { $0 == "push 4" }.count } == 1)
        }
    }

    @Test("without their modes neither comes, and the interval is a misuse")
    func modes() async throws {
        try await withDelegate(.newData, modes: ["processing"]) { host in
            await #expect(throws: TestHostError.self) { try await host.fetch() }
            await #expect(throws: TestHostError.self) { try await host.notify() }
            #expect(host.misuses.contains { $0.contains("background fetch") && $0.contains("backgroundModes") })
            await host.advance(by: .seconds(7200))
            #expect(host.results.isEmpty)
        }
    }

    @Test("what onFailure names gets the record of a run that has failed its last try", arguments: [true, false])
    func failure(succeeds: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let manifest = folder.appending(path: "com.example.application.json")
        try Data(
            """
            {"identifier": "com.example.application", "library": "libApplication.so", "tasks": {
              "\(App.index)": {"kind": "processing", "onFailure": "com.example.alarm",
                               "retry": {"attempts": 2, "backoff": "1m"}},
              "com.example.alarm": {"kind": "processing"}}}
            """.utf8
        ).write(to: manifest)
        let alarm = Alarm()
        let host = try await TestHost(manifest: manifest) {
            App.register(App.index) { $0.setTaskCompleted(success: succeeds) }
            App.register("com.example.alarm") { alarm.take($0) }
        }
        try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: App.index))
        await host.advance(by: .seconds(1))
        #expect(host.results.count == 1)
        // The first try is not the last.
        #expect(alarm.heard.isEmpty)
        await host.advance(by: .seconds(600))
        let heard = alarm.heard
        #expect(heard.count == (succeeds ? 0 : 1), "\(heard)")
        if let first = heard.first {
            let record = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
            #expect(record["identifier"] as? String == App.index && record["outcome"] as? String == "failed")
            #expect(record["attempt"] as? Int == 2)
        }
        await host.close()
    }
}
