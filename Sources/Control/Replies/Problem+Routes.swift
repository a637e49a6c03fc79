import JSON
package import TaskModel

// The problems that several routes have in common.
extension Problem {
    /// - Parameter near: a known name that was probably meant.
    package static func noSuchTask(_ identifier: String, near: String? = nil) -> Problem {
        noSuch("task", "no manifest has this task", identifier, near, "see taskhost list")
    }

    /// A manifest has the task, but it is not used.
    package static func unusedTask(_ identifier: String, _ fault: String) -> Problem {
        Problem(
            404, "no-such-task", title: "No such task",
            detail: "the task is not used; \(JSONWriter.excerpt(identifier, limit: 255)); \(fault)")
    }

    package static func noSuchApplication(_ identifier: String, near: String? = nil) -> Problem {
        noSuch("application", "there is no such application", identifier, near, "see taskhost list")
    }

    package static func noSuchRun(_ id: String) -> Problem {
        noSuch("run", "there is no such run", id, nil, "see taskhost history")
    }

    package static func noSuchTransfer(_ id: String) -> Problem {
        noSuch("transfer", "there is no such transfer", id, nil, "see taskhost transfers")
    }

    /// The text cannot be the beginning of a run's id.
    package static func noRunID(_ text: String, minimum: Int) -> Problem {
        Problem(
            404, "no-such-run", title: "No such run",
            detail:
                "this is not a run's id; \(JSONWriter.excerpt(text, limit: 255)); give at least \(minimum) of its 26 "
                + "characters")
    }

    /// Too many requested runs have not ended.
    package static func tooManyRuns(limit: Int) -> Problem {
        Problem(
            429, "too-many-runs", title: "Too many runs",
            detail:
                "too many runs that were asked for wait or run; POST /v1/runs takes \(limit) at once, and so many "
                + "bytes for them; try again when some have ended, or submit requests", headers: ["Retry-After": "10"])
    }

    /// Too many long answers are in progress.
    package static let tooBusy = Problem(
        503, "too-busy", title: "Too busy",
        detail: "the host puts together as many answers as it can; control socket; ask again in a moment",
        headers: ["Retry-After": "1"])

    package static let noFleet = Problem(
        404, "no-such-fleet", title: "No such fleet",
        detail: "the host is in no fleet; GET /v1/fleet; write \"fleet\" into its configuration, and start it again")

    /// No request of that identifier is pending: the text is that of the framework's debugger command.
    package static func nothingScheduled(_ identifier: String) -> Problem {
        Problem(
            404, "nothing-scheduled", title: "Nothing scheduled",
            detail: "no task request with identifier \(JSONWriter.excerpt(identifier, limit: 255)) has been scheduled; "
                + "pending requests; submit one first, see taskhost pending")
    }

    /// No run of that identifier is in progress.
    package static func nothingRunning(_ identifier: String) -> Problem {
        Problem(
            404, "nothing-running", title: "Nothing running",
            detail: "no run of this is in progress; \(JSONWriter.excerpt(identifier, limit: 255)); start one first")
    }

    /// It would be possible, but not at present.
    package static func conflict(_ detail: String) -> Problem {
        Problem(409, "conflict", title: "Not at present", detail: detail)
    }

    /// The request is well formed but means nothing.
    package static func meaningless(_ path: String, found: String, expected: String) -> Problem {
        badRequest([Fault(path: path, found: found, expected: expected)])
    }

    /// A submission that the scheduler refused.
    package static func submission(_ fault: SubmissionFault) -> Problem {
        let isPassing = fault.code == .tooManyPendingTaskRequests || fault.code == .immediateRunIneligible
        return Problem(
            isPassing ? 409 : 422, "submission-refused", title: "Submission refused: \(fault.code.name)",
            detail: fault.sentence, code: Int(fault.code.rawValue))
    }

    private static func noSuch(_ type: String, _ what: String, _ name: String, _ near: String?, _ help: String)
        -> Problem
    {
        Problem(
            404, "no-such-\(type)", title: "No such \(type)",
            detail: "\(what); \(JSONWriter.excerpt(name, limit: 255)); " + (near.map { "did you mean \($0)?" } ?? help))
    }
}
