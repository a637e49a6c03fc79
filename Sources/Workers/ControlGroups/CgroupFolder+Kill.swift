import Linux
import TaskModel

/// Freezing and killing a tree, and proving that it is empty, for both cgroup versions.
extension CgroupFolder {
    /// How long a first kill waits for the freeze, which takes a fifth of a millisecond on a quiet machine. A task in an
    /// uninterruptible sleep delays it without end.
    static let freezePatience = TimeSpan.milliseconds(4)

    /// Whether live processes are in the folder or below it. A removed folder has none.
    var isPopulated: Bool {
        switch hierarchy {
        case .unified: (try? read("cgroup.events")).map(Self.counter("populated")) == 1
        case .freezer, .memory, .pids, .cpuacct: !processes().isEmpty
        }
    }

    var isFrozen: Bool {
        switch hierarchy {
        case .unified: (try? read("cgroup.events")).map(Self.counter("frozen")) == 1
        case .freezer, .memory, .pids, .cpuacct: (try? read("freezer.state"))?.hasPrefix("FROZEN") ?? false
        }
    }

    /// Whether none of its processes can fork: all are frozen, or there is none.
    var isStill: Bool {
        guard hierarchy == .unified else { return isFrozen || !isPopulated }
        guard let events = try? read("cgroup.events") else { return true }
        return Self.counter("frozen")(events) == 1 || Self.counter("populated")(events) != 1
    }

    /// Requests the freeze and returns at once; `isFrozen` reports when it is done.
    func freeze() {
        // A removed folder needs no freeze, and every caller checks the tree afterwards.
        _ = try? hierarchy == .unified ? write("1", to: "cgroup.freeze") : write("FROZEN", to: "freezer.state")
    }

    func thaw() {
        _ = try? hierarchy == .unified ? write("0", to: "cgroup.freeze") : write("THAWED", to: "freezer.state")
    }

    /// Kills every process in the folder, and for version 2 below it. Returns when the signals have been sent, after
    /// `patience` at the latest; the processes end soon after that.
    ///
    /// - Parameter patience: none for a second try: the freeze has been requested.
    func kill(patience: TimeSpan = freezePatience) {
        switch hierarchy {
        case .unified:
            // The freeze comes first: a single write to cgroup.kill let one in two hundred trees of processes that fork
            // and exit without pause slip away. A frozen one cannot fork, and SIGKILL ends frozen tasks of version 2.
            freeze()
            _ = wait(atMost: patience) { $0.isStill }
            do throws(SystemError) {
                try write("1", to: "cgroup.kill")
            } catch {
                killMembers()  // cgroup.kill came with Linux 5.14
            }
        case .freezer:
            freeze()
            _ = wait(atMost: patience) { $0.isStill }
            killMembers()
            thaw()  // version 1: SIGKILL waits until the task is thawed
        case .memory, .pids, .cpuacct:
            killMembers()
        }
    }

    /// Waits until `condition` holds; false when it did not in time.
    ///
    /// It checks again after pauses of 50 us to 1 ms. The event of `cgroup.events` would come too late: the kernel reports
    /// changes of a file once in 10 ms (CGROUP_FILE_NOTIFY_MIN_INTV), while a freeze takes a fifth of a millisecond.
    func wait(atMost span: TimeSpan, until condition: (CgroupFolder) -> Bool) -> Bool {
        let deadline = Clock.monotonic() + UInt64(max(0, span.nanoseconds))
        var pause = TimeSpan(nanoseconds: 50_000)
        while !condition(self) {
            guard Clock.monotonic() < deadline else { return false }
            Clock.pause(pause)
            pause = min(pause + pause, .milliseconds(1))
        }
        return true
    }

    /// SIGKILL to each member. Pids cannot be reused under our hands while the folder is frozen; where it is not, that
    /// would take a full round of pids between two system calls.
    private func killMembers() {
        for pid in processes() { ProcessHandle.signal(pid: pid, .SIGKILL) }
    }

    private static func counter(_ key: String) -> (String) -> UInt64? {
        { text in CounterText.value(of: key, in: text.utf8.span) }
    }
}
