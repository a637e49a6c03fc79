import Confining
import CLinux
import Wire

/// Resource limits of a worker; soft and hard are the same, so that none can be raised again.
enum ConfinementLimits {
    /// Open files, 0…255.
    static let openFiles: UInt64 = 256

    /// Those that are the same for every worker and do not hinder the process that forks them.
    static func setInherited() throws(ConfinementError) {
        try set(CLINUX_LIMIT_CORE, 0, "RLIMIT_CORE")
        try set(CLINUX_LIMIT_MESSAGE_QUEUES, 0, "RLIMIT_MSGQUEUE")
        try set(CLINUX_LIMIT_NICE, 0, "RLIMIT_NICE")
        try set(CLINUX_LIMIT_REALTIME, 0, "RLIMIT_RTPRIO")
        try set(CLINUX_LIMIT_LOCKED_MEMORY, 64 << 10, "RLIMIT_MEMLOCK")
        // Also bounds POSIX timers, each of which holds a queued signal.
        try set(CLINUX_LIMIT_QUEUED_SIGNALS, 1024, "RLIMIT_SIGPENDING")
        try set(CLINUX_LIMIT_STACK, 8 << 20, "RLIMIT_STACK")
    }

    /// Those of one worker.
    static func set(for prepared: PreparedConfinement) throws(ConfinementError) {
        try set(CLINUX_LIMIT_OPEN_FILES, openFiles, "RLIMIT_NOFILE")
        try set(CLINUX_LIMIT_FILE_SIZE, prepared.plan.fileSize, "RLIMIT_FSIZE")
        if prepared.plan.processes > 0 { try set(CLINUX_LIMIT_PROCESSES, prepared.plan.processes, "RLIMIT_NPROC") }
        if prepared.dataLimit > 0 { try set(CLINUX_LIMIT_DATA, prepared.dataLimit, "RLIMIT_DATA") }
    }

    private static func set(
        _ resource: Int, _ value: UInt64, _ name: String
    ) throws(ConfinementError) {
        let code = clinux_set_limit(Int32(resource), value)
        guard code == 0 else { throw ConfinementError(.limits, code: -code, object: name) }
    }
}
