import Engine
import Foundation
import Host
import Manifests
import Record
import Scheduling
import Setting
import Store
import TaskModel
import TestSupport
import Testing

@Suite("An application that asks under a new identifier each time")
struct IdentifierRetentionTests {
    private static let application = "org.taskhost.endless"

    @Test("leaves no more of them in the record than are named, however many there were")
    func bounded() throws {
        let folder = try Folder()
        var manifest = try ManifestText(stage: Self.application, ["job.*": "stage_tally", "named": "stage_tally"])
        manifest.setTask("\(Self.application).job.*", "kind", "continuedProcessing")
        let path = try folder.write("endless.json", manifest.data).path
        let host = try HostUnderTest(stateFolder: folder.file("state").path, configuration: HostConfiguration())
        let catalogue = Catalogue([path], profile: .modern)
        let installed = try #require(catalogue.applications.first, "\(catalogue.diagnostics)")
        try host.install(installed)
        host.decider.refreshClock()
        host.applications.foreground(.first)
        try host.run { host.decider.state(of: .first) == .active }

        let kept = "\(Self.application).job.kept"
        _ = try host.requests.submit(
            TaskRequest(identifier: kept, kind: .continuedProcessing), application: .first)
        var most = 0
        for number in 0..<3_000 {
            let identifier = "\(Self.application).job.\(number)"
            _ = try host.requests.submit(
                TaskRequest(identifier: identifier, kind: .continuedProcessing), application: .first)
            #expect(host.requests.cancel(identifier, application: .first))
            guard number % 100 == 99 else { continue }
            var isOnDisk = false
            host.afterCommit { isOnDisk = true }
            try host.run { isOnDisk }
            most = max(most, try host.history.identifiers(after: nil, limit: 10_000).count)
        }
        #expect((500..<2_200).contains(most), "\(most)")
        #expect(host.requests.pending(kept) != nil)
        host.stop()
        try host.close()
        #expect(try host.history.requests().map(\.identifier) == [kept])
    }
}
