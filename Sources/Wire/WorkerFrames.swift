package import TaskModel

/// What confinement a worker really has, as it reports before it loads anything (`confined`).
package struct ConfinementReport: Sendable, Equatable {
    /// 0: none.
    package var landlockABI: UInt8
    package var seccomp: Bool
    /// It runs as its own user.
    package var ownUser: Bool
    /// Limits that could not be enforced, by name: `landlock`, `disk`, `processes`, …; `network` with what of it,
    /// `network.host` or `network.port`.
    package var degraded: [String]
    /// The process that is told of the worker's calls; 0: there is none.
    package var explainer: Int32

    package init(landlockABI: UInt8, seccomp: Bool, ownUser: Bool, degraded: [String], explainer: Int32 = 0) {
        self.landlockABI = landlockABI
        self.seccomp = seccomp
        self.ownUser = ownUser
        self.degraded = degraded
        self.explainer = explainer
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.confined)
        frame.write(landlockABI, seccomp, ownUser, degraded, explainer)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (landlockABI, seccomp, ownUser, degraded, explainer) = try frame.read()
        guard degraded.count <= 16, explainer >= 0 else { throw .badValue }
        try frame.end()
    }
}

/// A handler's progress.
package struct ProgressReport: Sendable, Equatable {
    package var completed: Int64
    package var total: Int64
    package var text: String

    package init(completed: Int64, total: Int64, text: String) {
        self.completed = completed
        self.total = total
        self.text = text
    }

    package func frame(run: RunHandle) -> [UInt8] {
        var frame = FrameWriter(.progress, run: run)
        frame.write(completed, total, text)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (completed, total, text) = try frame.read()
        guard completed >= 0, total >= 0 else { throw .badValue }
        try frame.end()
    }
}
