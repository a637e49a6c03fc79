import BackgroundTasks
import Foundation
import Synchronization
import TaskHostExtensions
import UIKit
import os

/// One run: its settings hold `{"steps": {"p1": ["pending", "complete"]}}`, by the rest of the identifier. Each step
/// prints its result in the run's log.
///
/// Thread: the queue of the handler.
final class Steps: @unchecked Sendable {
    private static let prefix = "com.ex.app."
    private static let logger = Logger()
    /// Tasks that are left open.
    private static let held = Mutex<[BGTask]>([])

    private let task: BGTask
    private var isCompleted = false

    init(_ task: BGTask) { self.task = task }

    static func identifier(_ name: String) -> String { prefix + name }
    private static func name(_ identifier: String) -> String { String(identifier.dropFirst(prefix.count)) }

    private struct Settings: Decodable { var steps: [String: [String]] }

    func run() {
        let settings = try? JSONDecoder().decode(Settings.self, from: task.settings)
        for step in settings?.steps[Self.name(task.identifier)] ?? ["complete"] {
            let words = step.split(separator: " ").map(String.init)
            take(words[0], Array(words.dropFirst()))
        }
        if !isCompleted { Self.held.withLock { $0.append(task) } }
    }

    private func say(_ text: String) { Self.logger.log("\(text, privacy: .public)") }

    private func take(_ word: String, _ words: [String]) {
        switch word {
        // What the run sees
        case "process": say("process \(getpid())")
        case "remaining":
            say(
                "remaining \(task.timeRemaining == .greatestFiniteMagnitude ? "any" : task.timeRemaining > 30 ? "long" : "short")"
            )
        case "queue": say("queue \(Self.queue) main \(Thread.isMainThread)")
        case "settled": say("settled \(task.expirationHandler == nil)")
        // Requests
        case "register": say("register \(words[0]) \(AppDelegate.register(words[0]))")
        case "submit": submit(words)
        case "pending": say("pending \(Self.list(pending()))")
        case "mutate":
            for request in pending() {
                request.earliestBeginDate = nil
                (request as? BGProcessingTaskRequest)?.requiresExternalPower = true
            }
        case "cancel": BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: Self.identifier(words[0]))
        case "cancelAll": BGTaskScheduler.shared.cancelAllTaskRequests()
        // The end
        case "expires": expire(completing: words == ["complete"])
        case "complete": complete(words.first != "false")
        case "defer": deferred(by: Double(words[0]) ?? 0)
        // Progress
        case "show": task.showProgress(completed: Int64(words[0]) ?? 0, of: Int64(words[1]) ?? 0, text: words[2])
        case "title": (task as? BGContinuedProcessingTask)?.updateTitle(words[0], subtitle: words[1])
        case "progress": move(Int64(words[0]) ?? 0, of: Int64(words[1]) ?? 0)
        case "advance": advance(Int64(words[0]) ?? 0, milliseconds: Double(words[1]) ?? 0)
        case "write": writeFiles()
        case "burn": burn(Int(words[0]) ?? 1)
        case "steady": steady(milliseconds: Double(words[0]) ?? 0)
        case "crash": abort()
        case "note": Trace.note(words.joined(separator: " "))
        default: if !BackgroundSteps.shared.take(word, words) { say("unknown step \(word)") }
        }
    }

    private static var queue: String { DispatchQueue.getSpecific(key: AppDelegate.key) ?? "none" }

    // MARK: Requests

    /// `p2 in=60 power network`; `job.7 fail gpu title=Export subtitle=Starting`.
    private func submit(_ words: [String]) {
        let name = words[0]
        let request = Self.request(name, words)
        if let seconds = Self.value("in", of: words).flatMap(Double.init) {
            request.earliestBeginDate = Date(timeIntervalSinceNow: seconds)
        }
        do {
            try BGTaskScheduler.shared.submit(request)
            say("submitted \(name)")
        } catch {
            let error = error as NSError
            say("refused \(name) \(error.domain) \(error.code)")
        }
    }

    private static func request(_ name: String, _ words: [String]) -> BGTaskRequest {
        if name.hasPrefix("r") { return BGAppRefreshTaskRequest(identifier: identifier(name)) }
        if name.hasPrefix("h") { return BGHealthResearchTaskRequest(identifier: identifier(name)) }
        guard name.hasPrefix("job.") else {
            let request = BGProcessingTaskRequest(identifier: identifier(name))
            request.requiresExternalPower = words.contains("power")
            request.requiresNetworkConnectivity = words.contains("network")
            return request
        }
        let request = BGContinuedProcessingTaskRequest(
            identifier: identifier(name), title: value("title", of: words) ?? "Job",
            subtitle: value("subtitle", of: words) ?? "")
        if words.contains("fail") { request.strategy = .fail }
        if words.contains("gpu") { request.requiredResources = .gpu }
        return request
    }

    private static func value(_ key: String, of words: [String]) -> String? {
        words.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }

    private func pending() -> [BGTaskRequest] {
        let answer = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var requests: [BGTaskRequest] = []  // written before the signal, read after it
        BGTaskScheduler.shared.getPendingTaskRequests {
            requests = $0
            answer.signal()
        }
        answer.wait()
        return requests
    }

    /// `p1@3600 p2@-`: sorted, with the seconds until the earliest begin date, in minutes' steps; `+power` if it asks for it.
    private static func list(_ requests: [BGTaskRequest]) -> String {
        requests.map { request in
            let date = request.earliestBeginDate.map { "\(Int(($0.timeIntervalSinceNow / 60).rounded()) * 60)" }
            let power = (request as? BGProcessingTaskRequest)?.requiresExternalPower == true ? "+power" : ""
            return "\(name(request.identifier))@\(date ?? "-")\(power)"
        }.sorted().joined(separator: " ")
    }

    // MARK: The end

    private func expire(completing: Bool) {
        task.expirationHandler = { [self] in
            let reason = task.expirationReason.map { "\($0)" } ?? "none"
            say("expiration queue \(Self.queue) cleared \(task.expirationHandler == nil) reason \(reason)")
            if completing { complete(false) }
        }
    }

    private func complete(_ success: Bool) {
        isCompleted = true
        task.setTaskCompleted(success: success)
    }

    private func deferred(by seconds: Double) {
        isCompleted = task.setTaskDeferred(for: seconds)
        if !isCompleted { say("not deferred") }
    }

    // MARK: Files

    /// Makes a file, and lets an earlier one grow: the numbers of the errors, 0 for none.
    private func writeFiles() {
        func append(_ path: String, _ flags: Int32) -> Int32 {
            let file = open(path, flags, 0o600)
            guard file >= 0 else { return errno }
            defer { close(file) }
            return write(file, "x", 1) == 1 ? 0 : errno
        }
        // Made by the first run; a later one finds it.
        _ = append("grown", O_WRONLY | O_CREAT)
        say("wrote \(append("made-\(getpid())", O_WRONLY | O_CREAT))")
        say("grew \(append("grown", O_WRONLY | O_APPEND))")
    }

    // MARK: Progress

    private func move(_ completed: Int64, of total: Int64) {
        guard let progress = (task as? BGContinuedProcessingTask)?.progress else { return }
        progress.totalUnitCount = total
        progress.completedUnitCount = completed
    }

    /// Moves on for as long as the process lives.
    private func steady(milliseconds: Double) {
        Thread.detachNewThread { [self] in
            var done: Int64 = 0
            while true {
                Thread.sleep(forTimeInterval: milliseconds / 1000)
                done += 1
                move(done, of: .max)
            }
        }
    }

    /// Uses processors for as long as the process lives, and says so when it has used some.
    private func burn(_ threads: Int) {
        for _ in 0..<threads { Thread.detachNewThread { while true {} } }
        while Double(clock()) < 0.3 * Double(CLOCKS_PER_SEC) { Thread.sleep(forTimeInterval: 0.01) }
        say("burning")
    }

    private func advance(_ steps: Int64, milliseconds: Double) {
        for step in 1...steps {
            Thread.sleep(forTimeInterval: milliseconds / 1000)
            move(step, of: steps)
        }
    }
}
