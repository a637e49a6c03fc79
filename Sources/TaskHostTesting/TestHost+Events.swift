internal import Foundation
internal import TaskModel

extension TestHost {
    /// Calls the application for background fetch now, whatever it waits for, as Xcode's Simulate Background Fetch does. The
    /// manifest has the mode `fetch`, and no task of the kind appRefresh.
    ///
    /// By itself it is called for the interval that it gave `setMinimumBackgroundFetchInterval`, when `advance` passes it.
    /// - Parameter time: how long to wait for the answer, by the real clock. The virtual clock stands still.
    /// - Returns: the run, with `fetchAnswer`.
    /// - Throws: `TestHostError.notStarted` without the mode; as `launch`.
    @discardableResult
    public func fetch(within time: Duration = .seconds(10)) async throws -> RunResult {
        try await launch(try eventTask(.backgroundFetch), within: time)
    }

    /// Sends a remote notification, as `taskhost notify` does: `didReceiveRemoteNotification` is called. The manifest has the
    /// mode `remote-notification`.
    ///
    /// Three an hour are delivered. A further one waits, as one does that a condition holds, and comes with `advance`; of
    /// several that wait the newest remains.
    /// - Parameters:
    ///   - payload: a JSON object: `userInfo`.
    ///   - time: how long to wait for the answer, by the real clock. The virtual clock stands still.
    /// - Returns: the run, with `fetchAnswer`; nil: it waits, for what `waiting` says.
    /// - Throws: `TestHostError.notStarted` without the mode, and when the user has quit the application.
    @discardableResult
    public func notify(
        _ payload: String = #"{"aps": {"content-available": 1}}"#, within time: Duration = .seconds(10)
    ) async throws -> RunResult? {
        let identifier = try eventTask(.remoteNotification)
        let (run, fault) = core.change { model -> (RunHandle?, SubmissionFault?) in
            do throws(SubmissionFault) {
                return (try model.notify(Array(payload.utf8), identifier), nil)
            } catch {
                return (nil, error)
            }
        }
        if let fault { throw TestHostError.notStarted(identifier, why: fault.sentence) }
        guard let run else { return nil }
        return try await TestRun(self, run, identifier: identifier).end(within: time)
    }

    private func eventTask(_ kind: TaskKind) throws -> String {
        let (identifier, isThere) = core.change { model in
            let name = EventTasks.identifier(kind, of: model.definition.identifier)
            return (name, model.task(of: name) != nil)
        }
        guard isThere else {
            let mode = kind.backgroundMode ?? ""
            throw TestHostError.notStarted(
                identifier,
                why: "the manifest does not have the mode \(mode), or has a task that takes its place; add it to "
                    + "\"backgroundModes\"")
        }
        return identifier
    }
}
