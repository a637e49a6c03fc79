import Foundation
import Glibc
import TestSupport
import Workers

/// What this machine lets a host do, found out by running one.
enum Machine {
    static let isRoot = geteuid() == 0
    /// A user without rights, for hosts that are not root.
    static let nobody: UInt32 = 65534

    /// The folders that this process, and so the hosts that it starts, is in.
    static let controlGroupFolders = Array(CgroupLayout.current().folders.values)

    /// The tiers that can be had, best first.
    static let tiers: [String] = ControlTier.allCases.map(\.rawValue).filter { tier in
        (try? probe(tier)).map { $0 != 64 } ?? false
    }
    private static let strictTiers = Set((tiers + ["auto"]).filter { (try? probe($0)) == 0 })

    /// Whether all limits of a manifest are enforced in that tier; nil: in the best one.
    static func enforces(_ tier: String?) throws -> Bool { strictTiers.contains(tier ?? "auto") }

    /// The exit status of a run that insists on all of its limits.
    private static func probe(_ tier: String) throws -> Int32 {
        let station = try Station()
        try station.configure("control", tier)
        try station.add(ManifestText(fixture: "fixtures.noop").with("enforcement", "strict"))
        return try station.run("org.taskhost.fixtures.noop").command.status
    }

    /// Whether it can do what a hostile fixture needs to be stopped in time.
    static func meets(_ needs: [String]?) -> Bool {
        (needs ?? []).allSatisfy { need in
            switch need {
            case "ownUser": isRoot
            case "memoryLimit", "processLimit": strictTiers.contains("auto")
            default: false
            }
        }
    }
}
