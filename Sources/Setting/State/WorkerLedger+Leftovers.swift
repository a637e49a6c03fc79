import TaskModel
import Linux

// Ends processes of a dead host's workers.
extension WorkerLedger {
    /// How long the processes may take to end.
    private static let sweeps = 250
    private static let pause = TimeSpan.milliseconds(20)

    /// Kills remaining processes of noted workers. Blocks until they have ended, which takes milliseconds unless a process
    /// cannot end.
    ///
    /// - Parameter state: the state folder, in which the workers had theirs.
    func endLeftovers(of state: String) {
        let entries = takeOver()
        var sessions = entries
        var isOver = entries.isEmpty
        for _ in 0..<Self.sweeps where !isOver {
            let processes = ProcessStatus.all()
            let wanderers = Self.wanderers(from: entries, of: state, among: processes)
            for process in wanderers { ProcessHandle.signal(pid: process.pid, .SIGKILL) }
            sessions.removeAll { Self.members(of: $0, among: processes).isEmpty }
            for session in sessions {
                let members = Self.members(of: session, among: processes)
                guard members.allSatisfy({ Self.isConfined($0, user: session.user) }),
                    !Self.isServed(members)
                else { continue }
                // One call kills the whole group, even one that forks at that moment.
                ProcessHandle.signal(group: session.pid, .SIGKILL)
            }
            isOver = sessions.isEmpty && wanderers.isEmpty
            if !isOver { Clock.pause(Self.pause) }
        }
    }

    /// The living processes of a worker's session; none when the number is another's by now. The kernel gives no process the
    /// number of a session that has members.
    static func members(of worker: Entry, among processes: [ProcessStatus]) -> [ProcessStatus] {
        let leader = processes.first { $0.pid == worker.pid }
        if let leader, leader.start != worker.start { return [] }
        return processes.filter {
            $0.session == worker.pid && $0.group == worker.pid && $0.start >= worker.start && $0.isAlive
        }
    }

    /// The living processes of programs that have left their worker's session or group: they still have its folder in their environment.
    private static func wanderers(
        from entries: [Entry], of state: String, among processes: [ProcessStatus]
    ) -> [ProcessStatus] {
        let sessions = Set(entries.map(\.pid))
        let parents = Dictionary(processes.map { ($0.pid, $0.parent) }) { first, _ in first }
        return processes.filter { process in
            process.isAlive && !(process.group == process.session && sessions.contains(process.session))
                && hasFolder(below: state, process.pid)
                && entries.contains { process.start >= $0.start && isConfined(process, user: $0.user) }
                && !isBelowWorker(process.pid, parents)
        }
    }

    private static func hasFolder(below state: String, _ pid: Int32) -> Bool {
        let mark = "TASKHOST_STATE=\(state)/applications/"
        guard let variables = try? FileText.read("/proc/\(pid)/environ") else { return false }
        return variables.split(separator: "\0").contains { $0.hasPrefix(mark) }
    }

    /// It belongs to another host, whose state folder has the same path, as in another container.
    private static func isBelowWorker(_ pid: Int32, _ parents: [Int32: Int32]) -> Bool {
        var next = parents[pid]
        while let ancestor = next, ancestor > 1 {
            if isOfHost(ancestor) { return true }
            next = parents[ancestor]
        }
        return false
    }

    /// Whether it belongs to the user, has a system-call filter and no new privileges, like everything that a worker starts but the
    /// broker of its programs. No process can lose these.
    private static func isConfined(_ process: ProcessStatus, user: UInt32) -> Bool {
        guard let fields = ProcessFields(of: process.pid) else { return false }
        guard fields["Uid"] == "\(user)" else { return false }
        return fields["Seccomp"] == "2" && fields["NoNewPrivs"] == "1"
            || fields["Name"].map(String.init) == ThisProcess.brokerName
    }

    /// Whether a live zygote is their ancestor: then they belong to another host, which reused the numbers.
    private static func isServed(_ members: [ProcessStatus]) -> Bool {
        let own = Set(members.map(\.pid))
        return members.contains { member in
            guard !own.contains(member.parent) else { return false }
            return isOfHost(member.parent)
        }
    }

    /// A zygote, a keeper or a worker.
    private static func isOfHost(_ pid: Int32) -> Bool {
        (try? FileText.read("/proc/\(pid)/comm")) == "taskhost-worker\n"
    }
}
