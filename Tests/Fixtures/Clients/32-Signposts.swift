import BackgroundTasks
import os.signpost

private let log = OSLog(subsystem: "com.example", category: .pointsOfInterest)

final class Measured {
    private let signposter = OSSignposter(subsystem: "com.example", category: .pointsOfInterest)
    private let other = OSSignposter(logger: Logger(subsystem: "com.example", category: "sync"))
    private var open: OSSignpostIntervalState?

    func refresh(_ task: BGTask) async throws -> Int {
        let id = signposter.makeSignpostID()
        let state = signposter.beginInterval("refresh", id: id, "task \(task.identifier, privacy: .public)")
        defer { signposter.endInterval("refresh", state, "done") }
        signposter.emitEvent("step", id: id, "n=\(3)")
        open = other.beginInterval("other")
        if let open { other.endInterval("other", open) }
        return try signposter.withIntervalSignpost("count") {
            try Data().write(to: URL(filePath: "/dev/null"))
            return 1
        }
    }

    func olderStyle(_ object: AnyObject, type: OSSignpostType, name: StaticString, count: Int, text: String) {
        let id = OSSignpostID(log: log)
        guard log.signpostsEnabled, id != .invalid else { return }
        os_signpost(.begin, log: log, name: "sync", signpostID: id)
        os_signpost(.event, log: log, name: "sync", "%d %{public}s", count, text)
        os_signpost(type, log: log, name: name, signpostID: OSSignpostID(log: log, object: object), "%{public}@", text)
        os_signpost(.end, dso: #dsohandle, log: log, name: "sync", signpostID: id)
    }
}
