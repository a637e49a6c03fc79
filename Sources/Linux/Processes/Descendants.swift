/// The processes below one, found by the kernel's lists of children (proc_pid_task(5)): a look costs what belongs to the tree,
/// whatever else the machine runs. It is not a snapshot: processes start and end while it is taken.
package struct Descendants {
    /// Zombies are left out.
    package let living: [ProcessStatus]
    /// Processes, zombies too, and their threads: what the kernel counts against a limit of processes.
    package let count: Int
    /// There are more than were asked for.
    package let isCut: Bool

    /// Looks at all of them at once; `DescendantWalk` does so in steps.
    ///
    /// - Parameters:
    ///   - most: no more are looked for beyond this count.
    ///   - spared: are left out, and what is below them.
    package init(of root: Int32, atMost most: Int = .max, sparing spared: Set<Int32> = []) {
        var walk = DescendantWalk(of: root, atMost: most, sparing: spared)
        while !walk.isOver { walk.step(ProcFolder()) }
        living = walk.living
        count = walk.count
        isCut = walk.isCut
    }

    /// Whether the process, which has one thread, has a child that lives. The kernel's list begins with the first child that
    /// there is, so none is missed.
    package static func hasChild(_ pid: Int32) -> Bool {
        do throws(SystemError) {
            return try ProcFolder().children(of: pid, pid, atMost: .max)
                .contains { ProcessStatus(of: $0)?.isAlive == true }
        } catch {
            guard ProcessStatus(of: pid) != nil else { return false }
            return ProcessStatus.all().contains { $0.parent == pid && $0.isAlive }
        }
    }
}
