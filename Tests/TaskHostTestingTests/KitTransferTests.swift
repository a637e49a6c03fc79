import BackgroundTasks
import Foundation
import Synchronization
import TaskHostTesting
import Testing
import UIKit

/// Downloads and uploads with a background session, and notes what it receives.
final class TransferDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Downloads.shared.note("launch")
        return true
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        Downloads.shared.note("handleEvents \(identifier)")
        Downloads.shared.open()
        Downloads.shared.finish(completionHandler)
    }
}

final class Downloads: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {  // guarded by `lock`
    static let shared = Downloads()
    static let identifier = "com.example.downloads"
    private let lock = NSLock()
    private var lines: [String] = []
    private var waiters: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []
    private var session: URLSession?
    private var handled: (() -> Void)?

    var heard: [String] { lock.withLock { lines } }

    func note(_ line: String) {
        let met = lock.withLock {
            lines.append(line)
            defer { waiters.removeAll { $0.line == line } }
            return waiters.filter { $0.line == line }
        }
        for waiter in met { waiter.continuation.resume() }
    }

    func begin() {
        lock.withLock {
            lines.removeAll()
            session = nil
            handled = nil
        }
    }

    @discardableResult
    func open() -> URLSession {
        let new = URLSession(
            configuration: .background(withIdentifier: Self.identifier), delegate: self, delegateQueue: nil)
        lock.withLock { session = new }
        return new
    }

    /// Waits until the line is noted.
    func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if !lines.contains(line) { waiters.append((line, continuation)) }
                return lines.contains(line)
            }
            if isThere { continuation.resume() }
        }
    }

    func finish(_ handler: @escaping () -> Void) { lock.withLock { handled = handler } }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? "-"
        let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
        note("downloaded \(downloadTask.taskIdentifier) \(text) \(status)")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64,
        totalBytesWritten written: Int64, totalBytesExpectedToWrite total: Int64
    ) {
        note("wrote \(count) to \(written) of \(total)")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent sent: Int64,
        totalBytesExpectedToSend total: Int64
    ) {
        note("sent \(count) to \(sent) of \(total)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let reason = (error as? URLError)?.backgroundTaskCancelledReason.map { " \($0.rawValue)" } ?? ""
        note("completed \(task.taskIdentifier) \((error as NSError?)?.code ?? 0)\(reason)")
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        note("didFinishEvents")
        lock.withLock { handled }?()
    }
}

@Suite("The testing kit answers background sessions", .serialized)
struct KitTransferTests {
    typealias App = TestApplication

    private func withDelegate(_ body: (TestHost) async throws -> Void) async throws {
        Downloads.shared.begin()
        try await withHost(
            [App.index: .processing], backgroundModes: ["processing"], launching: { TransferDelegate.main() }, body)
    }

    private func download(_ names: String..., in session: URLSession) throws {
        for name in names {
            let url = try #require(URL(string: "https://example.com/\(name)"))
            let task = session.downloadTask(with: url)
            task.taskDescription = name
            task.resume()
        }
    }

    @Test("a download of a process that works is answered at once; any status of HTTP is a success")
    func download() async throws {
        try await withDelegate { host in
            await host.enterForeground()
            try download("a", in: Downloads.shared.open())
            let transfer = try #require(host.transfers.first)
            #expect(transfer.session == Downloads.identifier && transfer.identifier == 1 && transfer.text == "a")
            #expect(transfer.url?.absoluteString == "https://example.com/a" && transfer.method == "GET")
            #expect(!transfer.isUpload && !transfer.isSuspended)
            try await host.respond(to: transfer, status: 404, body: Data("gone".utf8))
            #expect(Downloads.shared.heard == ["launch", "downloaded 1 gone 404", "completed 1 0"])
            #expect(host.transfers.isEmpty)
            await #expect(throws: TestHostError.self) { try await host.respond(to: transfer) }
        }
    }

    @Test("a process that is gone is launched when the last one ends, is called for the session, and gets all in order")
    func relaunch() async throws {
        try await withDelegate { host in
            await host.enterForeground()
            try download("a", "b", in: Downloads.shared.open())
            await host.enterBackground()
            await host.simulate(.crash)
            let transfers = host.transfers
            #expect(transfers.map(\.text) == ["a", "b"])
            try await host.respond(to: transfers[0], body: Data("one".utf8))
            #expect(Downloads.shared.heard == ["launch"])
            try await host.fail(transfers[1], with: .timedOut)
            #expect(
                Downloads.shared.heard == [
                    "launch", "launch", "handleEvents \(Downloads.identifier)", "downloaded 1 one 200",
                    "completed 1 0", "completed 2 -1001", "didFinishEvents",
                ])
            #expect(host.transfers.isEmpty && host.terminations.isEmpty)
        }
    }

    @Test("a process that works receives progress; one that is gone, or that comes later, does not")
    func progress() async throws {
        try await withDelegate { host in
            await host.enterForeground()
            try download("a", in: Downloads.shared.open())
            let transfer = try #require(host.transfers.first)
            try await host.progress(transfer, to: 10, of: 40)
            // Reports that come faster than the delegate's queue takes them become one.
            await Downloads.shared.wait(for: "wrote 10 to 10 of 40")
            try await host.progress(transfer, to: 25, of: 40)
            await Downloads.shared.wait(for: "wrote 15 to 25 of 40")
            await host.enterBackground()
            await host.simulate(.crash)
            try await host.progress(transfer, to: 30, of: 40)
            try await host.respond(to: transfer, body: Data("one".utf8))
            #expect(
                Downloads.shared.heard == [
                    "launch", "wrote 10 to 10 of 40", "wrote 15 to 25 of 40", "launch",
                    "handleEvents \(Downloads.identifier)", "downloaded 1 one 200", "completed 1 0", "didFinishEvents",
                ])
            await #expect(throws: TestHostError.self) { try await host.progress(transfer, to: 40) }
        }
    }

    @Test("an upload names its file, and is answered")
    func upload() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
        try Data("body".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withDelegate { host in
            await host.enterForeground()
            let session = Downloads.shared.open()
            var request = URLRequest(url: try #require(URL(string: "https://example.com/up")))
            request.httpMethod = "PUT"
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            session.uploadTask(with: request, fromFile: file).resume()
            let transfer = try #require(host.transfers.first)
            #expect(transfer.isUpload && transfer.file?.path == file.path && transfer.method == "PUT")
            #expect(transfer.headers["Content-Type"] == "text/plain")
            try await host.progress(transfer, to: 3, of: 4)
            try await host.respond(to: transfer, status: 201)
            #expect(Downloads.shared.heard == ["launch", "sent 3 to 3 of 4", "completed 1 0"])
        }
    }

    @Test(
        "who quits the application cancels its transfers, which it learns when it is opened; it is not launched for them"
    )
    func quit() async throws {
        try await withDelegate { host in
            await host.enterForeground()
            try download("a", in: Downloads.shared.open())
            await host.quit()
            #expect(host.transfers.isEmpty)
            await host.advance(by: .seconds(3600))
            #expect(Downloads.shared.heard == ["launch"])
            await host.enterForeground()
            Downloads.shared.open()
            await Downloads.shared.wait(for: "completed 1 -999 0")
            #expect(Downloads.shared.heard == ["launch", "launch", "completed 1 -999 0"])
        }
    }
}
