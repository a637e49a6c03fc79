import Linux

/// How soon the kernel ends a process when memory runs out (`oom_score_adj`): for workers, which inherit it at the fork, and
/// for the zygote, which has the host's.
///
/// The file has to be opened before the process stops being dumpable, after which it belongs to root; and a process may
/// return to its initial value (proc_pid_oom_score_adj(5)). *Thread*: for a process with one thread.
struct MemoryScore: ~Copyable {
    private static let worker: Int32 = 500

    /// nil: it cannot be changed here, as in some containers. Not vital.
    private let file: Descriptor?
    private let own: Int32

    init() {
        let path = "/proc/self/oom_score_adj"
        let text = try? FileText.read(path, limit: 64)
        own = text.flatMap { Int32($0.prefix { $0 != "\n" }) } ?? Self.worker
        file = own < Self.worker ? try? Descriptor.open(path, .O_RDWR) : nil
    }

    /// For the child that is forked next; a higher score stays.
    func raise() { write(Self.worker) }

    func restore() { write(own) }

    private func write(_ score: Int32) {
        // Not vital: see above.
        if let number = file.number { try? FileText.write("\(score)", to: number) }
    }
}
