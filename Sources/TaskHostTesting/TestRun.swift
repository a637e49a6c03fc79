public import TaskHostExtensions
internal import TaskModel

/// A run in progress, or one that has ended.
public final class TestRun: Sendable {
    /// The identifier of its task; for a wildcard the concrete one.
    public let identifier: String
    let host: TestHost
    let run: RunHandle

    init(_ host: TestHost, _ run: RunHandle, identifier: String) {
        self.host = host
        self.run = run
        self.identifier = identifier
    }

    /// Its result; nil while it is in progress.
    public var result: RunResult? { host.core.change { [run] in $0.facts[run]?.result } }

    /// Every report of progress so far, in order.
    public var progress: [RunResult.Progress] { host.core.change { [run] in $0.facts[run]?.progress ?? [] } }

    /// The lines of its log so far, in order.
    public var log: [String] { host.core.change { [run] in $0.facts[run]?.log ?? [] } }

    /// Waits for its end. The virtual clock stands still.
    /// - Parameter time: how long, by the real clock.
    /// - Throws: `TestHostError.noEnd` when it has not ended by then.
    @discardableResult
    public func end(within time: Duration = .seconds(10)) async throws -> RunResult {
        let run = run
        _ = await host.core.wait(within: time) { model, isIdle in isIdle && model.facts[run]?.result != nil }
        guard let result else { throw TestHostError.noEnd(identifier, within: time) }
        return result
    }

    /// Warns it: its expiration handler is called. One that has not completed when `TestHost.patience` is over has the rest
    /// of its grace on the virtual clock, and is then ended as `overran`.
    /// - Parameter reason: why it expires.
    /// - Throws: `TestHostError.notRunning` when it has ended already.
    @discardableResult
    public func expire(_ reason: ExpirationReason = .budget) async throws -> RunResult {
        let run = run
        guard result == nil, let reason = Reason(rawValue: UInt8(reason.rawValue)) else {
            throw TestHostError.notRunning(identifier)
        }
        host.core.change { $0.hear(reason == .simulated ? .simulatedExpiration(run) : .expired(run, reason)) }
        _ = await host.core.wait(within: host.patience) { model, isIdle in
            isIdle && model.facts[run]?.result != nil
        }
        if result == nil {
            let left = host.core.change { $0.timeToKill(of: run) }
            await host.advance(by: left)
        }
        guard let result else { throw TestHostError.noEnd(identifier, within: host.patience) }
        return result
    }
}
