import Confining
import Linux
import Wire

/// Resource limits of a worker; soft and hard are the same, so that none can be raised again.
enum ConfinementLimits {
    /// Open files, 0…255.
    static let openFiles: UInt64 = 256

    /// Of a process that others may trace: the kernel dumps no core that is smaller than a page, and pipes none to a program at this size
    /// alone (core(5); `do_coredump` of Linux).
    static let noPipedCore: UInt64 = 1

    /// Those that are the same for every worker and do not hinder the process that forks them.
    ///
    /// - Parameter coreSize: 0 for no file; a program that cores are piped to (core(5)) gets them nevertheless.
    static func setInherited(coreSize: UInt64 = 0) throws(ConfinementError) {
        try set(.core, coreSize)
        try set(.messageQueues, 0)
        try set(.nice, 0)
        try set(.realtime, 0)
        try set(.lockedMemory, 64 << 10)
        // Also limits POSIX timers, each of which has a queued signal.
        try set(.queuedSignals, 1024)
        try set(.stack, 8 << 20)
    }

    /// Those of one worker.
    ///
    /// - Parameter data: `RLIMIT_DATA`; 0 for none.
    static func set(for plan: LaunchPlan, data: UInt64) throws(ConfinementError) {
        try set(.openFiles, openFiles)
        try set(.fileSize, plan.fileSize)
        if plan.processes > 0 { try set(.processes, plan.processes) }
        if data > 0 { try set(.data, data) }
    }

    /// Those of a worker without confinement: its memory is a budget's, all others are the machine's.
    static func setOfLogin(
        openFiles: (soft: UInt64, hard: UInt64), fileSize: UInt64, data: UInt64
    ) throws(ConfinementError) {
        try ConfinementError.at(.limits) { () throws(SystemError) in
            try Sandbox.limit(.openFiles, soft: openFiles.soft, hard: openFiles.hard)
        }
        if fileSize < .max { try set(.fileSize, fileSize) }
        if data > 0 { try set(.data, data) }
    }

    /// `RLIMIT_DATA` of a plan's workers: what this process has comes on top. 0: none.
    static func data(of plan: LaunchPlan) throws(ConfinementError) -> UInt64 {
        guard plan.dataSize > 0 else { return 0 }
        let present = try ConfinementError.at(.limits, Sandbox.dataSize)
        let (total, overflow) = plan.dataSize.addingReportingOverflow(present)
        return overflow ? .max : total
    }

    private static func set(_ limit: Sandbox.Limit, _ value: UInt64) throws(ConfinementError) {
        try ConfinementError.at(.limits) { () throws(SystemError) in try Sandbox.limit(limit, to: value) }
    }
}
