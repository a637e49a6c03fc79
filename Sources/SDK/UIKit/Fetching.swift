internal import CTaskHost
internal import TaskHostRuntime

/// Legacy background fetch, and remote notifications, which are answered in the same way.
enum Fetching {
    static func setInterval(_ seconds: TimeInterval) {
        guard let host = ConnectedHost.current else { return }
        // A smaller value counts as the minimum.
        guard !host.setMinimumFetchInterval(seconds < 0 ? UIApplication.backgroundFetchIntervalMinimum : seconds) else {
            return
        }
        Diagnostic.write(
            "setMinimumBackgroundFetchInterval has no effect; "
                + (seconds.isNaN
                    ? "NaN is not an interval; pass seconds" : "this host has no background fetch; update it"))
    }

    /// Calls the application delegate, and returns when it has returned.
    @MainActor static func deliver(_ event: FetchEvent) {
        let application = UIApplication.shared
        guard let delegate = application.delegate else { return event.answer(TASKHOST_FETCH_NO_DATA) }
        let answer = { (result: UIBackgroundFetchResult) in event.answer(UInt32(result.rawValue)) }
        event.run.working {
            switch event.kind {
            case .fetch: delegate.application(application, performFetchWithCompletionHandler: answer)
            case .remoteNotification:
                delegate.application(
                    application, didReceiveRemoteNotification: userInfo(of: event), fetchCompletionHandler: answer)
            }
        }
    }

    private static func userInfo(of event: FetchEvent) -> [AnyHashable: Any] {
        guard !event.payload.isEmpty else { return [:] }
        guard let object = (try? JSONSerialization.jsonObject(with: event.payload)) as? [String: Any] else {
            Diagnostic.write("the payload of a remote notification is not a JSON object; userInfo is empty")
            return [:]
        }
        return Dictionary(uniqueKeysWithValues: object.map { (AnyHashable($0), $1) })
    }
}
