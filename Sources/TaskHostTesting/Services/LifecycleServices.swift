internal import CTaskHost
internal import Foundation
internal import Synchronization
internal import TaskModel

/// The functions behind `taskhost_lifecycle_t`.
enum LifecycleServices {
    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe RunServices.forever(
        taskhost_lifecycle_t(
            struct_size: UInt32(MemoryLayout<taskhost_lifecycle_t>.size), abi_version: TASKHOST_ABI_VERSION,
            state: { HostCore.current?.change { UInt32($0.state.rawValue) } ?? TASKHOST_STATE_NOT_RUNNING },
            background_refresh: {
                let isAllowed = HostCore.current?.change { $0.conditions.backgroundRefresh == .yes } ?? false
                return isAllowed ? TASKHOST_REFRESH_AVAILABLE : TASKHOST_REFRESH_DENIED
            },
            begin_assertion: { unsafe LifecycleServices.begin($0.map { unsafe String(cString: $0) } ?? "", $1, $2) },
            end_assertion: { LifecycleServices.end($0) },
            background_time_remaining: { HostCore.current?.change { $0.backgroundTime } ?? 0 },
            // The SDK has its own.
            perform_expiring_activity: nil,
            open_assertions: { HostCore.current?.change { UInt32($0.assertions.held.count) } ?? 0 },
            set_minimum_fetch_interval: { LifecycleServices.setFetchInterval($0) },
            complete_event: { unsafe LifecycleServices.answer(RunCell.of($0), $1) },
            watch_network: { LifecycleServices.watchNetwork($0) },
            // Processes of a test are not suspended.
            watch_suspension: nil))

    /// The SDK's function for the network: one for all hosts of the process, as it is told once.
    private static let networkChanged = Mutex<NetworkCallback?>(nil)
    @safe private struct NetworkCallback: @unchecked Sendable { let function: @convention(c) (UInt32) -> Void }

    private static func watchNetwork(_ changed: @escaping @convention(c) (UInt32) -> Void) -> Int32 {
        networkChanged.withLock { $0 = NetworkCallback(function: changed) }
        HostCore.current?.change { $0.effects.append(.tellNetwork) }
        return TASKHOST_OK
    }

    /// Tells the application of the network, if it watches it.
    static func tell(_ network: NetworkAccess) { networkChanged.withLock { $0 }?.function(UInt32(network.rawValue)) }

    private static func begin(
        _ name: String, _ expired: taskhost_assertion_fn?, _ context: UnsafeMutableRawPointer?
    ) -> UInt64 {
        // It goes to a thread of the host by contract.
        nonisolated(unsafe) let context = unsafe context
        var call: (@Sendable () -> Void)?
        if let expired = unsafe expired { call = { unsafe expired(context) } }
        let handler = call
        return HostCore.current?.change { model in
            guard let process = model.process, model.backgroundTime > 0 else { return 0 }
            if !model.isInFront && model.assertions.wasWarned { return 0 }
            let id = model.assertions.begin(name, handler)
            model.hear(.assertions(process, count: UInt32(model.assertions.held.count)))
            return id
        } ?? 0
    }

    private static func setFetchInterval(_ seconds: Double) -> Int32 {
        guard seconds >= 0 else { return TASKHOST_INVALID }
        let interval = seconds > longestInterval ? nil : TimeSpan.seconds(Int64(seconds.rounded(.up)))
        HostCore.current?.change { $0.setFetchInterval(interval) }
        return TASKHOST_OK
    }

    /// In seconds; more is never.
    private static let longestInterval = 9e9

    private static func answer(_ cell: RunCell, _ result: UInt32) -> Int32 {
        guard cell.kind.isEvent, let result = UInt8(exactly: result).flatMap(FetchResult.init(rawValue:)) else {
            return TASKHOST_INVALID
        }
        let answer: FetchAnswer =
            switch result {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
        // The first one counts.
        cell.core.change { if cell.isOpen { $0.facts[cell.run]?.fetchAnswer = answer } }
        return cell.complete(
            .completed(cell.worker, cell.run, success: result != .failed, result: .fetch(result), automatic: false))
    }

    private static func end(_ id: UInt64) -> Int32 {
        HostCore.current?.change { model in
            guard model.assertions.end(id) else {
                if id != 0 { model.misuses.append("assertion \(id) was ended, and is not open; end each one once") }
                return TASKHOST_UNKNOWN
            }
            if let process = model.process {
                model.hear(.assertions(process, count: UInt32(model.assertions.held.count)))
            }
            return TASKHOST_OK
        } ?? TASKHOST_UNKNOWN
    }
}

extension HostModel {
    var isInFront: Bool { state == .active || state == .inactive }

    /// The seconds of background time that are left; the largest number in the foreground.
    var backgroundTime: Double {
        guard !isInFront else { return .greatestFiniteMagnitude }
        guard let process, case let end = engine.backgroundEnd(of: process), end < .distantFuture else {
            return profile.backgroundTime.seconds
        }
        return (end - now.instant).seconds
    }
}
