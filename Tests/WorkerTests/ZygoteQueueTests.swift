import Glibc
import TaskModel
import TestSupport
import Testing
import Wire
import Workers

@Suite("A zygote that is asked for thousands of workers at once")
struct ZygoteQueueTests {
    @Test("answers all, while the host neither waits for it nor reads meanwhile")
    func flood() throws {
        let zygote = try ZygoteProcess(
            executable: try Places.worker, role: "zygote",
            environment: [("PATH", "/usr/bin:/bin"), ("SWIFT_BACKTRACE", "enable=no")])
        defer { zygote.end() }
        let plan = LaunchPlan(
            application: "org.example.flood", library: "/nowhere", sendsLibrary: true, isApplication: false,
            exec: false, identity: .host(), stateDirectory: "/", cacheDirectory: "/", manifestDirectory: "/", read: [],
            write: [], ports: [], fileSize: 0, dataSize: 0, processes: 0, placements: 0, bestEffort: true)
        var writer = FrameWriter(.launch)
        plan.write(to: &writer)
        let frame = writer.finished() ?? []
        let count: UInt32 = 6000
        // Without the descriptors that the plan names: each is refused with a sentence.
        for number in 0..<count {
            try zygote.launch(frame, callID: RunHandle(index: number, generation: 1), descriptors: [])
        }
        #expect(zygote.isWaiting, "its socket does not hold so many")
        var calls: [UInt32] = []
        var patience = Patience.long
        while calls.count < Int(count) {
            var source = pollfd(
                fd: zygote.control, events: Int16(POLLIN | (zygote.isWaiting ? POLLOUT : 0)), revents: 0)
            guard patience.poll(&source) else { throw Problem.vain("answers", seen: "\(calls.count)") }
            if source.revents & Int16(POLLOUT) != 0 { try zygote.flush() }
            while let report = zygote.receive() {
                guard case .launchFailed(let callID, _) = report else {
                    Issue.record("\(report)")
                    return
                }
                calls.append(callID.index)
            }
        }
        #expect(calls == Array(0..<count))
    }
}
