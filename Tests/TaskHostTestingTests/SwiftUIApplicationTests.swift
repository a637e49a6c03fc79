import SwiftUI
import Synchronization
import TaskHostTesting
import Testing

/// An application of SwiftUI that keeps what it is told.
private struct KitApplication: SwiftUI.App {
    nonisolated static let heard = Mutex<[String]>([])
    @Environment(\.scenePhase) private var scenePhase

    init() { Self.hear("init") }

    var body: some Scene {
        WindowGroup { EmptyView() }
            .backgroundTask(.appRefresh(TestApplication.refresh)) { Self.hear("refresh") }
            .backgroundTask(.processingTask(TestApplication.index)) {
                await withTaskCancellationHandler {
                    while !Task.isCancelled { await Task.yield() }
                } onCancel: {
                    Self.hear("cancelled")
                }
            }
            .onChange(of: scenePhase) { Self.hear("\($0) \($1)") }
    }

    nonisolated static func hear(_ words: String) { heard.withLock { $0.append(words) } }
}

extension EventTests {
    @Test("an application of SwiftUI is launched for each process, with its background tasks and its phase")
    func swiftUI() async throws {
        KitApplication.heard.withLock { $0 = [] }
        try await withHost(launching: { KitApplication.main() }) { host in
            #expect(try await host.launch(TestApplication.refresh).outcome == .succeeded)
            await host.enterForeground()
            await host.enterBackground()
            let run = try await host.start(TestApplication.index)
            #expect(try await run.expire().outcome == .expired)
            await host.quit()
            #expect(try await host.launch(TestApplication.refresh).outcome == .succeeded)
            #expect(host.misuses.isEmpty)
        }
        let phases = ["background inactive", "inactive active", "active inactive", "inactive background"]
        #expect(
            KitApplication.heard.withLock { $0 } == ["init", "refresh"] + phases + ["cancelled", "init", "refresh"])
    }
}
