package import Linux
package import TaskModel

/// The kernel's hold on one worker and everything it starts.
///
/// Thread: the host's loop thread only. Ownership: every descriptor it hands out stays its own and closes with it; the
/// folders stay until `remove()`.
package final class ControlGroup {
    /// Name of the folders; also fit for messages in tier `none`.
    package let name: String
    package let tier: ControlTier

    /// Serves freezing, killing and emptiness; nil in tier `none`.
    private let trunk: CgroupFolder?
    /// All folders, each once.
    private let folders: [CgroupFolder]
    private let memory: MemoryControl?
    private let pids: CgroupFolder?
    private let cpu: Descriptor?
    private let events: Descriptor?

    /// We requested a freeze. `cgroup.events` does not show it: an emptied folder reads `frozen 0` while its flag is
    /// still set.
    private var mayBeFrozen = false
    private var leader: Int32?
    private var tree: ProcessTree?
    private var meter = MemoryMeter()
    /// In progress, where no controller meters memory.
    private var walk: TreeWalk?
    private var cpuAtRecycle: Int64 = 0
    private var stallAtRecycle: Int64 = 0
    private var lastCPU: Int64 = 0

    /// Takes over existing folders; the key says what each serves. One folder may serve several, where controllers of
    /// version 1 are mounted together.
    package init(name: String, tier: ControlTier, folders: [Hierarchy: CgroupFolder]) throws(SystemError) {
        self.name = name
        self.tier = tier
        let unique = folders.unique
        self.folders = unique
        trunk = folders[.unified] ?? folders[.freezer]
        let memoryFolder = tier == .unified ? folders[.unified] : folders[.memory]
        if let memoryFolder { memory = try MemoryControl(memoryFolder) } else { memory = nil }
        pids = tier == .unified ? folders[.unified] : folders[.pids]
        if let folder = folders[.unified] {
            cpu = try folder.open("cpu.stat", .O_RDONLY)
            events = try folder.open("cgroup.events", .O_RDONLY)
        } else if let folder = folders[.cpuacct] {
            cpu = try folder.open("cpuacct.usage", .O_RDONLY)
            events = nil
        } else {
            cpu = nil
            events = nil
        }
        placementDescriptors = []
        for folder in unique where folder.hierarchy != .unified {
            placementDescriptors.append(try folder.placement())
        }
    }

    // MARK: Placing the worker

    /// The cgroup-2 folder (`O_PATH`) for `CLONE_INTO_CGROUP`; nil where there is none.
    package var cloneDescriptor: Int32? { events == nil ? nil : trunk?.descriptor }

    /// `cgroup.procs` of the cgroup-2 folder, open for writing, for a worker that was not cloned into it: it writes `0`.
    /// Nil where there is none.
    package func membershipDescriptor() throws(SystemError) -> Int32? {
        guard events != nil, let trunk else { return nil }
        return try trunk.placement()
    }

    /// `cgroup.procs` of the version-1 folders, open for writing: the worker writes `0` to each before it loads anything
    /// or gives up its user.
    ///
    /// The first such write waits for an RCU grace period (5 to 16 ms) on a quiet machine, those right after it do not.
    package private(set) var placementDescriptors: [Int32]

    /// Enforces the addresses of its processes' connections.
    package private(set) var connectGuard: ConnectGuard?

    /// Has the processes' connections restricted permanently. Call it before there are any processes.
    ///
    /// - Throws: also where there is no folder of cgroup 2.
    package func hold(_ connectGuard: ConnectGuard) throws(SystemError) {
        guard self.connectGuard !== connectGuard else { return }
        guard let folder = cloneDescriptor else { throw SystemError("bpf", code: .EOPNOTSUPP, object: "cgroup 2") }
        try connectGuard.hold(folder)
        self.connectGuard = connectGuard
    }

    /// Sets the worker's process; it leads, or soon leads, its own session and process group.
    ///
    /// - Parameter tree: in tier `none`.
    package func adopt(pid: Int32, tree: ProcessTree?) {
        leader = pid
        self.tree = trunk == nil ? tree : nil
        tree?.bound = processBound
    }

    // MARK: Limits

    /// Limits the memory of the tree, swap included; kills by the kernel show in `outOfMemoryKills`.
    ///
    /// - Returns: false when no memory controller enforces it here: then the host compares `currentMemory()` itself,
    ///   which takes the limit into account by measuring more precisely beyond it.
    package func limitMemory(_ bytes: ByteCount) -> Bool {
        meter.bound = bytes
        if bytes == memoryLimit { return true }
        guard memory?.limit(bytes) ?? false else { return false }
        memoryLimit = bytes
        return true
    }

    /// Limits that are in force: a group that is used again mostly has the right ones.
    private var memoryLimit: ByteCount?
    private var processLimit: Int?
    /// Of a tree that no kernel limits.
    private var processBound = Int.max

    /// Limits processes and threads together; beyond it `fork` and `pthread_create` fail with EAGAIN.
    ///
    /// - Returns: false when no pids controller enforces it here: then `exceededProcesses` tells.
    package func limitProcesses(_ count: Int) -> Bool {
        processBound = count
        tree?.bound = count
        if count == processLimit { return true }
        guard let pids, (try? pids.write(String(max(1, count)), to: "pids.max")) != nil else { return false }
        processLimit = count
        return true
    }

    // MARK: Meters

    /// CPU time of the tree since the group was made or recycled; never falls. Nil before `adopt` in tier `none`. Costs
    /// one system call and no allocation where cgroups meter it; in tier `none` see `Enforcer.meter`.
    package func cpuTime() -> TimeSpan? {
        guard let number = cpu.number else {
            guard let tree else { return nil }
            return TimeSpan(nanoseconds: tree.cpuTime())
        }
        let reading: UInt64? =
            events != nil
            ? FileText.withStart(of: number) { CounterText.value(of: "usage_usec", in: $0) }.map { $0 &* 1000 }
            : FileText.withStart(of: number) { CounterText.number(in: $0) }
        if let reading { lastCPU = max(lastCPU, Int64(clamping: reading) - cpuAtRecycle) }
        return TimeSpan(nanoseconds: lastCPU)
    }

    /// Highest memory since the group was created, recycled or `resetPeak()`. With a memory controller: everything charged,
    /// including page cache. Without: resident memory as of the walks.
    package func peakMemory() -> ByteCount? {
        guard let memory else { return meter.peak(leader: leader) }
        return memory.peakBytes().map(ByteCount.init(bytes:))
    }

    /// Resets the peak to the present usage.
    package func resetPeak() {
        if let memory { memory.resetPeak() } else { meter.resetPeak(leader: leader) }
    }

    /// Memory of the tree now; nil when it has none or it cannot be read. Without a memory controller: as of the last walk.
    package func currentMemory() -> ByteCount? {
        guard let memory else { return meter.current }
        return memory.currentBytes().map(ByteCount.init(bytes:))
    }

    /// Begins to read the tree anew where no controller meters its memory: what `stepWalk` goes on with.
    package func beginWalk() {
        guard memory == nil else { return }
        walk = trunk != nil ? TreeWalk(of: processes(), memory: meter.bound) : tree?.walk(memory: meter.bound)
        if walk == nil { meter.take(0) }
    }

    /// Reads one more process of the walk in progress: some 10 us, or 0.3 ms where memory is counted in proportion.
    ///
    /// - Returns: whether there is more to be read. When there is not, `cpuTime`, `peakMemory`, `currentMemory` and
    ///   `exceededProcesses` know what the walk has found.
    package func stepWalk() -> Bool {
        walk?.step(ProcFolder())
        guard let walk else { return false }
        guard walk.isOver else { return true }
        self.walk = nil
        tree?.take(walk)
        if !walk.isCut { meter.take(walk.memory) }
        return false
    }

    /// Processes of the tree that the kernel killed at the memory limit, since the group was made or recycled; 0 without
    /// a memory controller.
    package var outOfMemoryKills: Int { memory?.kills ?? 0 }

    /// How long processes of the tree have waited for a disk, since the folder was created or recycled (the kernel's
    /// Documentation/accounting/psi.rst); nil where the kernel does not report it.
    package var diskStall: TimeSpan? {
        diskStallEver.map { TimeSpan(nanoseconds: max(0, $0 - stallAtRecycle)) }
    }

    private var diskStallEver: Int64? {
        guard let folder = folders.first(where: { $0.hierarchy == .unified }),
            let text = try? folder.read("io.pressure")
        else { return nil }
        return CounterText.stall(in: text)
    }

    /// In tier `none`: the limit of processes and threads, once a reading has found more.
    package var exceededProcesses: Int? { tree?.isOverrun == true ? processBound : nil }

    /// Pids that live in the tree now, zombies left out; without cgroups no more than `limitProcesses` allows.
    package func processes() -> [Int32] {
        trunk?.processes() ?? tree?.members().map(\.pid) ?? []
    }

    /// Signals the leader's process group at once, and each process of the tree that has left it.
    package func signal(_ signal: Signal) {
        guard let leader else { return }
        guard let trunk else { tree?.signal(signal); return }
        ProcessHandle.signal(group: leader, signal)
        for pid in trunk.processes() where ProcessHandle.group(of: pid) != leader {
            ProcessHandle.signal(pid: pid, signal)
        }
    }

    // MARK: Freezing and killing

    /// Freezes the tree; returns at once.
    package func freeze() {
        mayBeFrozen = true
        if let trunk { trunk.freeze() } else { tree?.signal(.SIGSTOP) }
    }

    package func thaw() {
        mayBeFrozen = false
        if let trunk { trunk.thaw() } else { tree?.signal(.SIGCONT) }
    }

    /// Waits until the freeze has taken hold, as long as a kill does.
    package func settleFreeze() {
        guard let trunk else { return }
        _ = trunk.wait(atMost: CgroupFolder.freezePatience) { $0.isStill }
    }

    /// Whether a freeze has taken hold of every process.
    package var isFrozen: Bool {
        if let trunk { return trunk.isFrozen }
        let members = tree?.members() ?? []
        return !members.isEmpty && members.allSatisfy { $0.state == "T" }
    }

    /// Sends SIGKILL to a tree of one process, without the freeze, which takes longer than the rest of its end. What it forks meanwhile
    /// escapes: look at `isEmpty()` when it has ended, and `kill()` the others. The group can be recycled afterwards.
    ///
    /// - Returns: false: there are more or none, or the tree is frozen, or no control group holds it; nothing was sent.
    package func killSingle() -> Bool {
        guard let trunk, !mayBeFrozen else { return false }
        let members = trunk.processes()
        guard members.count == 1 else { return false }
        ProcessHandle.signal(pid: members[0], .SIGKILL)
        return true
    }

    /// Sends SIGKILL to the whole tree, so that no process of it can fork in the meantime. Blocks for 4 ms at most, and at a
    /// second try not at all: a tree that cannot die delays nothing. Check `isEmpty()` for the effect, and call it again,
    /// about 20 ms later, while that is false. With cgroup 2 the group stays frozen, so that a process that enters it late
    /// cannot run; `recycle()` thaws it.
    package func kill() {
        guard let trunk else {
            tree?.signal(.SIGKILL)
            return
        }
        mayBeFrozen = true
        if trunk.isPopulated {
            wasKilled = cloneDescriptor != nil
            trunk.kill(patience: isDying ? .zero : CgroupFolder.freezePatience)
            isDying = true
        } else {
            // A process only in a limiting folder was never placed in the trunk, or left it as root can.
            for folder in folders where folder !== trunk { folder.kill() }
        }
    }

    /// `cgroup.events`, for `EPOLLPRI` alone in the host's loop: it reports when the tree becomes empty, or frozen. Call
    /// `isEmpty()` then, which clears the event. Nil where the host has to check after each exit.
    ///
    /// The kernel reports once in 10 ms, so after the freeze of a kill the event comes that late: ask `isEmpty()` when the
    /// worker's pidfd reports its end as well, by when a worker without children has left the group.
    package var emptinessDescriptor: Int32? { events.number }

    /// Whether no process of the tree is alive; zombies that wait to be reaped do not count. This is the proof that a kill
    /// worked.
    package func isEmpty() -> Bool {
        guard trunk != nil else { return tree?.isEmpty() ?? true }
        if let number = events.number,
            FileText.withStart(of: number, { CounterText.value(of: "populated", in: $0) }) == 1
        {
            return false
        }
        return folders.allSatisfy { $0.hierarchy == .unified || $0.processes().isEmpty }
    }

    /// What to watch for memory running out; nil where no kernel bounds it. Call `clearMemoryEvents` when it is ready.
    package var memoryEvents: (descriptor: Int32, isUrgent: Bool)? { memory?.announcement }

    /// Clears the announcement.
    package func clearMemoryEvents() { memory?.clearAnnouncement() }

    // MARK: The end

    /// The pids controller releases a process only when it is reaped.
    private var hasUnreaped: Bool {
        guard let text = try? pids?.read("pids.current") else { return false }
        return (CounterText.number(in: text.utf8.span) ?? 0) > 0
    }

    /// How much memory an ended worker may leave charged to a reused group. Kernel memory that is freed late makes up 1
    /// MiB; the rest is page cache, and asking the kernel to reclaim that takes longer (0.8 ms, at times 8) than
    /// creating new folders.
    private static let leftover = ByteCount.mebibytes(4)

    /// Linux 6.18 kills every process that is cloned (CLONE_INTO_CGROUP) into a cgroup-2 folder that was killed once: such a
    /// folder is not reused.
    private var wasKilled = false
    /// A kill was tried since the group was made or recycled.
    private var isDying = false

    /// Makes an emptied group ready for the next worker of the same application: folders, descriptors and limits stay,
    /// the meters restart.
    ///
    /// - Parameter isEmptied: `isEmpty()` returned true after its worker's end, and nothing was launched into it since.
    /// - Returns: false when it was killed, a process lives in it, zombies still wait to be reaped (they count towards the
    ///   limit of processes), or its memory was not released: remove it and create another.
    package func recycle(isEmptied: Bool = false) -> Bool {
        guard !wasKilled, isEmptied || isEmpty(), !hasUnreaped else { return false }
        if mayBeFrozen { thaw() }
        isDying = false
        if let memory, !memory.recycle(leftover: Self.leftover) { return false }
        _ = cpuTime()
        cpuAtRecycle += lastCPU
        lastCPU = 0
        stallAtRecycle = diskStallEver ?? 0
        leader = nil
        tree = nil
        walk = nil
        meter.begin()
        return true
    }

    /// Removes the folders of an emptied group.
    ///
    /// - Returns: true when all have been removed; false while a process lives in one of them.
    package func remove() -> Bool {
        var gone = true
        for folder in folders where !folder.remove() { gone = false }
        return gone
    }
}
