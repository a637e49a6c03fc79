internal import CTaskHost
internal import Engine
internal import TaskModel

/// The functions behind `taskhost_host_t`.
enum RunServices {
    private static let longestLog = 4096

    // Written here once, read-only afterwards.
    nonisolated(unsafe) static let table = unsafe forever(
        taskhost_host_t(
            struct_size: UInt32(MemoryLayout<taskhost_host_t>.size), abi_version: TASKHOST_ABI_VERSION,
            retain: { task in
                unsafe RunCell.of(task).retain()
                return unsafe task
            },
            release: { unsafe RunCell.of($0).release() },
            complete: { unsafe RunServices.complete(RunCell.of($0), success: $1 != 0) },
            should_stop: { unsafe RunCell.of($0).shouldStop() ? 1 : 0 },
            time_remaining: { unsafe RunServices.timeRemaining(RunCell.of($0)) },
            set_expiration_handler: { unsafe RunCell.of($0).setHandler($1, $2) },
            expiration_reason: { unsafe RunCell.of($0).reason },
            progress: {
                unsafe RunServices.progress(RunCell.of($0), $1, $2, $3.map { unsafe String(cString: $0) } ?? "")
            },
            log: { unsafe RunServices.log(RunCell.of($0), $2, Int(clamping: $3)) },
            get_extension: { unsafe RunServices.table(named: String(cString: $0)) },
            complete_later: { unsafe RunServices.completeLater(RunCell.of($0), $1) }))

    private static func table(named name: String) -> UnsafeRawPointer? {
        switch name {
        case TASKHOST_SCHEDULING_EXTENSION:
            unsafe HostCore.current.map { unsafe UnsafeRawPointer($0.tables.scheduling) }
        case TASKHOST_LIFECYCLE_EXTENSION: unsafe UnsafeRawPointer(LifecycleServices.table)
        case TASKHOST_TRANSFER_EXTENSION: unsafe UnsafeRawPointer(TransferServices.table)
        case TASKHOST_INFORMATION_EXTENSION:
            unsafe HostCore.current.map { unsafe UnsafeRawPointer($0.tables.information) }
        case TASKHOST_SECRETS_EXTENSION: unsafe UnsafeRawPointer(SecretServices.table)
        case TASKHOST_TRACE_EXTENSION: unsafe UnsafeRawPointer(SecretServices.trace)
        case TASKHOST_FLEET_EXTENSION: unsafe UnsafeRawPointer(SecretServices.fleet)
        case TASKHOST_NOTIFICATIONS_EXTENSION: unsafe UnsafeRawPointer(Tables.notifications)
        default: nil
        }
    }

    private static func complete(_ cell: RunCell, success: Bool) -> Int32 {
        cell.complete(.completed(cell.worker, cell.run, success: success, result: nil, automatic: false))
    }

    private static func completeLater(_ cell: RunCell, _ seconds: Double) -> Int32 {
        guard let deferral = Deferral(seconds: seconds) else {
            guard cell.isOpen else { return TASKHOST_ALREADY_COMPLETED }
            cell.core.change { $0.note(.badDeferral, cell.run) }
            return TASKHOST_INVALID
        }
        return cell.complete(.deferred(cell.worker, cell.run, deferral))
    }

    private static func timeRemaining(_ cell: RunCell) -> Double {
        cell.core.change { model in
            let end = model.engine.runs[cell.run]?.budgetEnd ?? model.now.instant
            return end == .distantFuture ? .greatestFiniteMagnitude : (end - model.now.instant).seconds
        }
    }

    private static func progress(_ cell: RunCell, _ completed: Int64, _ total: Int64, _ text: String) -> Int32 {
        guard completed >= 0, total >= 0 else { return TASKHOST_INVALID }
        guard cell.isOpen else { return TASKHOST_ALREADY_COMPLETED }
        cell.core.change { model in
            model.facts[cell.run]?.progress.append(.init(completed: completed, total: total, text: text))
            model.hear(.progressed(cell.worker, cell.run, completed: completed))
        }
        return TASKHOST_OK
    }

    private static func log(_ cell: RunCell, _ text: UnsafePointer<CChar>, _ length: Int) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: min(length, longestLog))
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        cell.core.change { $0.facts[cell.run]?.log.append(line) }
    }

    /// A table that lives as long as the process.
    static func forever<Table>(_ table: Table) -> UnsafePointer<Table> {
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe memory.initialize(to: table)
        return unsafe UnsafePointer(memory)
    }
}
