import Foundation
import Glibc
import TestSupport
import Workers

/// What this machine lets a host do.
enum Machine {
    static let isRoot = geteuid() == 0
    /// A user without rights, for hosts that are not root.
    static let nobody: UInt32 = 65534

    /// The folders that this process, and so the hosts that it starts, is in.
    static let controlGroupFolders = Array(CgroupLayout.current().folders.values)

    /// The one of cgroup 2, where there is such.
    static let unifiedFolder = CgroupLayout.current().folders[.unified]

    /// The tiers that can be had, best first: found out by asking for each.
    static let tiers: [String] = ControlTier.allCases.map(\.rawValue).filter { tier in
        (try? has(tier)) ?? false
    }

    private static func has(_ tier: String) throws -> Bool {
        let station = try Station()
        try station.configure("control", tier)
        return try station.run(station.add(fixture: "fixtures.noop").tasks[0]).command.succeeded
    }

    /// Whether it can do what a hostile fixture needs to be stopped in time.
    static func meets(_ needs: [String]?) -> Bool {
        (needs ?? []).allSatisfy { need in
            switch need {
            case "ownUser": isRoot
            // By RLIMIT_NPROC, which counts a user's processes, or by a controller.
            case "processLimit": isRoot || tiers.first != "none"
            // Else RLIMIT_DATA refuses one process the memory before it has exceeded its budget.
            case "memoryLimit": tiers.first != "none"
            default: false
            }
        }
    }
}
