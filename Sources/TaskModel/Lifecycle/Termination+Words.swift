extension Termination {
    /// What happened, with the documented code: `didEnterBackground took longer than 5 s (0x8badf00d appWatchdog)`.
    package var words: String {
        "\(cause) (\([reason.codeText, reason.name].compactMap { $0 }.joined(separator: " ")))"
    }

    private var cause: String {
        switch reason {
        case .appWatchdog:
            "\(callback?.name ?? "a callback")\(took.map { " took longer than \($0)" } ?? " took too long")"
        case .backgroundTaskAssertionTimeout:
            callback == .expirationHandler
                ? "an expiration handler took too long" : "its background time ended with assertions open"
        case .tooManyBackgroundTaskAssertions: "it had begun more assertions than anybody may hold"
        case .backgroundTaskTimeout: "it did not complete a task in its time"
        case .sessionEventsTimeout: "it did not complete background session events in their time"
        case .backgroundFetchTimeout: "it did not complete \(callback?.name ?? "a fetch") in its time"
        case .suspendedWithLockedFile: "it held a lock on a file of others when it was suspended"
        case .cpuResourceLimit: "it used more processor time than it may"
        case .memoryResourceLimit: "it used more memory than it may"
        case .memoryPressure: "memory was short while it was suspended"
        case .suspendedLimit: "more applications were suspended than may be"
        case .forceQuit: "the user quit it"
        }
    }

    /// Its open assertions: `1 assertion was open: "save" (12.3 s, begun by …)`; nil: none.
    ///
    /// - Parameter origin: the code that began one, such as `begun by saveDraft() + 28`; nil: unknown.
    package func openWords(_ origin: (OpenAssertion) -> String?) -> String? {
        guard assertionCount > 0 else { return nil }
        let listed = assertions.map { assertion in
            let name = assertion.name.isEmpty ? "one without a name" : "\"\(assertion.name)\""
            return "\(name) (\(["\(assertion.age)", origin(assertion)].compactMap { $0 }.joined(separator: ", ")))"
        }
        let rest = Int(assertionCount) - assertions.count
        let more = rest > 0 && !listed.isEmpty ? ["\(rest) more"] : []
        let verb = assertionCount == 1 ? "1 assertion was open" : "\(assertionCount) assertions were open"
        let all = (listed + more).joined(separator: ", ")
        return all.isEmpty ? verb : "\(verb): \(all)"
    }
}
