import CLinux
import Foundation
import Glibc
import Linux
import TestSupport

/// Limits of running processes, changed from outside: the processes really lack something for a while.
enum Limits {
    /// How many descriptors the process has open.
    static func descriptors(of pid: Int32) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    }

    /// The soft limit of descriptors.
    static func setDescriptors(_ count: Int, of pid: Int32) throws { try set("--nofile=\(count):", pid) }
    /// The soft limit of processes; set as the process's own user: others need the capability.
    static func setProcesses(_ count: Int, of pid: Int32, user: UInt32) throws {
        try set(
            "--nproc=\(count):", pid, by: ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"])
    }

    private static func set(_ limit: String, _ pid: Int32, by user: [String] = []) throws {
        let words = user + ["prlimit", "--pid", "\(pid)", limit]
        let command = try Program(words[0], Array(words.dropFirst())).finish()
        guard command.succeeded else { throw TestSupport.Problem("prlimit: \(command)") }
    }

    static func memoryScore(of pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/oom_score_adj", encoding: .utf8)
        guard let score = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Problem(text) }
        return score
    }
}

extension Daemon {
    /// The processes that workers are forked from.
    var zygotes: [Int32] { station.processes().filter { ProcessStatus(of: $0)?.parent == program.pid } }
    /// The workers of one of them.
    func workers(of zygote: Int32) -> [Int32] {
        station.processes().filter { ProcessStatus(of: $0)?.parent == zygote }
    }
}
