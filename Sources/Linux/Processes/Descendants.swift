/// The processes below one, found by the kernel's lists of children (proc_pid_task(5)): a look costs what belongs to the tree,
/// whatever else the machine runs. It is not a snapshot: processes start and end while it is taken.
package struct Descendants {
    /// Zombies are left out.
    package private(set) var living: [ProcessStatus] = []
    /// Processes, zombies too, and their threads: what the kernel counts against a limit of processes.
    package private(set) var count = 0
    /// There are more than were asked for.
    package private(set) var isCut = false

    private let most: Int
    /// Of a kernel without lists of children.
    private var all: [ProcessStatus]?

    /// - Parameters:
    ///   - most: no more are looked for beyond this count.
    ///   - spared: are left out, and what is below them.
    package init(of root: Int32, atMost most: Int = .max, sparing spared: Set<Int32> = []) {
        self.most = most
        var next = [(pid: root, threads: 1)]
        while let parent = next.popLast(), !isCut {
            for pid in children(of: parent.pid, threads: parent.threads) where !spared.contains(pid) {
                guard let status = ProcessStatus(of: pid) else { continue }
                next.append((pid, status.threads))
                if status.isAlive { living.append(status) }
                count += max(1, status.threads)
                isCut = isCut || count > most
                guard !isCut else { return }
            }
        }
    }

    private mutating func children(of pid: Int32, threads: Int) -> [Int32] {
        // A child is on the list of the thread that made it.
        let tasks = threads > 1 ? ProcessStatus.threads(of: pid) : [pid]
        var found: [Int32] = []
        for task in tasks {
            do throws(SystemError) {
                found += try Self.list(of: pid, task, atMost: most)
            } catch {
                if error.code == .EFBIG { isCut = true }
                guard error.code == .ENOENT, ProcessStatus(of: pid) != nil else { continue }
                // A kernel without CONFIG_PROC_CHILDREN.
                let known = all ?? ProcessStatus.all()
                all = known
                return known.filter { $0.parent == pid }.map(\.pid)
            }
        }
        return found
    }

    /// Digits of a process's number and a blank.
    private static let longest = 11
    /// Of one list: more than there can be processes (`pid_max` is 4,194,304 at most, proc_sys_kernel(5)).
    private static let mostBytes = 64 << 20

    private static func list(of pid: Int32, _ task: Int32, atMost most: Int) throws(SystemError) -> [Int32] {
        let limit = most < mostBytes / longest ? max(4096, most * longest) : mostBytes
        let text = try FileText.read("/proc/\(pid)/task/\(task)/children", limit: limit)
        return text.split(separator: " ").compactMap { Int32($0) }
    }
}

extension Descendants {
    /// Whether the process, which has one thread, has a child that lives. The kernel's list begins with the first child that
    /// there is, so none is missed.
    package static func hasChild(_ pid: Int32) -> Bool {
        do throws(SystemError) {
            return try list(of: pid, pid, atMost: .max).contains { ProcessStatus(of: $0)?.isAlive == true }
        } catch {
            guard ProcessStatus(of: pid) != nil else { return false }
            return ProcessStatus.all().contains { $0.parent == pid && $0.isAlive }
        }
    }
}
