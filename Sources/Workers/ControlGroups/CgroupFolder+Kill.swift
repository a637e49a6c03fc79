import Glibc
import Linux
import TaskModel

/// Freezing, killing and the proof that nothing is left, for both cgroup versions.
extension CgroupFolder {
    /// How long a kill waits for the freeze. A task in an uninterruptible sleep delays it without end.
    static let freezePatience = TimeSpan.milliseconds(50)

    /// Whether living processes are in the folder or below it. A removed folder holds none.
    var isPopulated: Bool {
        switch hierarchy {
        case .unified: (try? read("cgroup.events")).map(Self.counter("populated")) == 1
        default: !processes().isEmpty
        }
    }

    var isFrozen: Bool {
        switch hierarchy {
        case .unified: (try? read("cgroup.events")).map(Self.counter("frozen")) == 1
        default: (try? read("freezer.state"))?.hasPrefix("FROZEN") ?? false
        }
    }

    /// Asks for the freeze and returns at once; `isFrozen` tells when it is done.
    func freeze() {
        // A folder that is gone needs no freeze, and every caller checks what became of the tree.
        _ = try? hierarchy == .unified ? write("1", to: "cgroup.freeze") : write("FROZEN", to: "freezer.state")
    }

    func thaw() {
        _ = try? hierarchy == .unified ? write("0", to: "cgroup.freeze") : write("THAWED", to: "freezer.state")
    }

    /// Kills every process in the folder, and for version 2 below it. Returns when the signals have been sent, after
    /// `freezePatience` at the latest; the processes end soon after that.
    func kill() {
        switch hierarchy {
        case .unified:
            // The freeze comes first: a single write to cgroup.kill let one in two hundred trees of processes that fork
            // and exit without pause slip away. A frozen one cannot fork, and SIGKILL ends frozen tasks of version 2.
            freeze()
            _ = wait(atMost: Self.freezePatience) { $0.isFrozen || !$0.isPopulated }
            do throws(SystemError) {
                try write("1", to: "cgroup.kill")
            } catch {
                killMembers()  // cgroup.kill came with Linux 5.14
            }
        case .freezer:
            freeze()
            _ = wait(atMost: Self.freezePatience) { $0.isFrozen || !$0.isPopulated }
            killMembers()
            thaw()  // version 1: SIGKILL waits until the task is thawed
        case .memory, .pids, .cpuacct:
            killMembers()
        }
    }

    /// Waits until `condition` holds; false when it did not in time.
    func wait(atMost span: TimeSpan, until condition: (CgroupFolder) -> Bool) -> Bool {
        let deadline = ProcessProbe.monotonicTime() + UInt64(max(0, span.nanoseconds))
        // A descriptor of our own: reading the host's would clear the event that its loop waits for.
        let events = hierarchy == .unified ? try? open("cgroup.events", O_RDONLY) : nil
        while true {
            // Read before the condition is looked at, so that a change in between is seen by poll.
            if let number = events.number { _ = FileText.withStart(of: number) { _ in true } }
            if condition(self) { return true }
            let now = ProcessProbe.monotonicTime()
            guard now < deadline else { return false }
            if let number = events.number {
                var request = pollfd(fd: number, events: Int16(POLLPRI), revents: 0)
                _ = poll(&request, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1))
            } else {
                usleep(200)  // version 1 has no event for this
            }
        }
    }

    /// SIGKILL to each member. Pids cannot be reused under our hands while the folder is frozen; where it is not, that
    /// would take a full round of pids between two system calls.
    private func killMembers() {
        for pid in processes() { _ = Glibc.kill(pid, SIGKILL) }
    }

    private static func counter(_ key: StaticString) -> (String) -> UInt64? {
        { text in CounterText.value(of: key, in: text.utf8.span) }
    }
}
