import Glibc
import Synchronization
import TestSupport
import Testing
import Workers

/// The tiers that this machine and user can have; `none` always.
let tiersHere: [ControlTier] = ControlTier.allCases.filter { tier in
    guard let groups = try? ControlGroups.probe(name: uniqueName(), forced: tier) else { return false }
    return groups.remove()
}

/// Those whose kernel limits memory and processes.
let limitingTiers: [ControlTier] = tiersHere.filter { tier in
    guard let groups = try? ControlGroups.probe(name: uniqueName(), forced: tier) else { return false }
    defer { groups.remove() }
    return groups.enforces(.memory) == .kernel && groups.enforces(.processes) == .kernel
}

private let serial = Mutex(0)

/// A name for a host's folders that no other test, test run or host uses.
func uniqueName() -> String {
    let number = serial.withLock { value in
        value += 1
        return value
    }
    return "taskhost-test-\(getpid())-\(number)"
}

/// Lends control groups of one tier, and afterwards kills and removes whatever is left of them, also after a failure.
func withGroups(_ tier: ControlTier, _ body: (ControlGroups) throws -> Void) throws {
    let groups = try ControlGroups.probe(name: uniqueName(), forced: tier)
    defer {
        do { try groups.emptyLeftovers() } catch { Issue.record(error) }
        let folders = groups.parentFolders
        groups.remove()
        for folder in folders { #expect(access(folder, F_OK) != 0, "\(folder) is still there") }
    }
    try body(groups)
}

extension ControlGroup {
    /// Reads the whole tree, which a host does in portions.
    func walk() {
        beginWalk()
        while stepWalk() {}
    }

    /// Kills as a host does, again and again until the tree is proved empty; false when the patience has run out.
    func killUntilEmpty() -> Bool {
        var patience = Patience()
        while patience.milliseconds() != nil {
            kill()
            if waitUntilEmpty(milliseconds: 20) { return true }
        }
        return false
    }

    /// Asks each millisecond, as the event may come 10 ms late.
    func waitUntilEmpty(milliseconds: Int) -> Bool {
        for _ in 0..<milliseconds {
            if isEmpty() { return true }
            _ = poll(nil, 0, 1)
        }
        return isEmpty()
    }
}
