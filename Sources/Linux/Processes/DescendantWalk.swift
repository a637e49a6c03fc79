/// A look at the processes below one that goes on in steps, so that others need not wait for all of it. A step reads one
/// process, or one list. It is not a snapshot: processes start and end while it is taken.
package struct DescendantWalk {
    /// Zombies are left out.
    package private(set) var living: [ProcessStatus] = []
    /// Processes, zombies too, and their threads: what the kernel counts against a limit of processes.
    package private(set) var count = 0
    /// There are more than were asked for: the walk ends where it finds that.
    package private(set) var isCut = false

    private let most: Int
    private let spared: Set<Int32>
    /// Those whose status is still to be read; the last one is next.
    private var found: [Int32] = []
    /// Those that are read when no status is left to be; the last one is next.
    private var lists: [List]
    /// Of a kernel without lists of children.
    private var all: [ProcessStatus]?

    private enum List {
        case threads(of: Int32)
        case children(of: Int32, task: Int32)
    }

    /// - Parameters:
    ///   - root: has one thread.
    ///   - most: no more are looked for beyond this count.
    ///   - spared: are left out, and what is below them.
    package init(of root: Int32, atMost most: Int = .max, sparing spared: Set<Int32> = []) {
        self.most = most
        self.spared = spared
        lists = [.children(of: root, task: root)]
    }

    /// Nothing is left to be read.
    package var isOver: Bool { found.isEmpty && lists.isEmpty }

    package mutating func step(_ source: some ProcessSource) {
        if let pid = found.popLast() { return look(at: pid, source) }
        switch lists.popLast() {
        // A child is on the list of the thread that made it.
        case .threads(let pid): lists += source.threads(of: pid).map { .children(of: pid, task: $0) }
        case .children(let pid, let task): list(of: pid, task, source)
        case nil: return
        }
    }

    private mutating func look(at pid: Int32, _ source: some ProcessSource) {
        guard let status = source.status(of: pid) else { return }
        count += max(1, status.threads)
        // What has become a zombie has no children any more: the kernel has given them away before (exit_notify()).
        if status.isAlive {
            living.append(status)
            lists.append(status.threads > 1 ? .threads(of: pid) : .children(of: pid, task: pid))
        }
        if count > most { cut() }
    }

    private mutating func list(of pid: Int32, _ task: Int32, _ source: some ProcessSource) {
        do throws(SystemError) {
            add(try source.children(of: pid, task, atMost: most))
        } catch {
            if error.code == .EFBIG { return cut() }
            guard error.code == .ENOENT, source.status(of: pid) != nil else { return }
            // A thread that has ended, or a kernel without CONFIG_PROC_CHILDREN.
            while case .children(pid, _) = lists.last { lists.removeLast() }
            let known = all ?? source.all()
            all = known
            add(known.filter { $0.parent == pid }.map(\.pid))
        }
    }

    private mutating func add(_ children: [Int32]) {
        found += children.reversed().filter { !spared.contains($0) }
    }

    private mutating func cut() {
        isCut = true
        found = []
        lists = []
    }
}
