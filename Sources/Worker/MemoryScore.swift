import CLinux
import Glibc
import Linux

/// How soon the kernel ends a process when memory runs out (`oom_score_adj`): that of workers, who inherit it at their birth,
/// and that of the process which they are forked from, which is the host's.
///
/// The file has to be opened before the process stops being dumpable, after which it is root's; and a process may go back to
/// what it came from (proc_pid_oom_score_adj(5)). *Thread*: for a process with one thread.
struct MemoryScore {
    private static let worker: Int32 = 500

    /// -1: it cannot be changed here, as in some containers. Not vital.
    private let file: Int32
    private let own: Int32

    init() {
        let opened = clinux_open("/proc/self/oom_score_adj", O_RDWR, 0)
        let text = opened >= 0 ? FileText.withStart(of: opened) { $0.isEmpty ? nil : String(copying: $0) } : nil
        let score = text.flatMap { Int32($0.prefix { $0 != "\n" }) } ?? Self.worker
        own = score
        file = score < Self.worker ? opened : -1
        if file < 0, opened >= 0 { close(opened) }
    }

    /// For the child that is forked next; a higher score stays.
    func raise() { write(Self.worker) }

    func restore() { write(own) }

    private func write(_ score: Int32) {
        guard file >= 0 else { return }
        // Not vital: see above.
        try? FileText.write("\(score)", to: file)
    }
}

extension String {
    fileprivate init(copying bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        self.init(decoding: copy, as: UTF8.self)
    }
}
