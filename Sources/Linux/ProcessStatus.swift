import Glibc

/// What `/proc/PID/stat` tells of a process (proc_pid_stat(5)).
package struct ProcessStatus: Equatable, Sendable {
    package var pid: Int32
    /// `R`, `S`, `D`, `T`, `Z` and so on.
    package var state: Character
    package var parent: Int32
    package var group: Int32
    package var session: Int32
    /// CPU time of the process, in clock ticks.
    package var ticks: UInt64
    /// CPU time of the children that it has waited for and of theirs, in clock ticks.
    package var childTicks: UInt64
    package var threads: Int

    /// A leader that has left while its threads go on reads as a zombie too, hence the count.
    package var isAlive: Bool { (state != "Z" && state != "X") || threads > 1 }

    /// Reads the one line of `/proc/PID/stat`; nil when it is not in that form.
    package init?(parsing line: String) {
        // The name stands in brackets and may itself hold brackets and spaces: the last one counts.
        guard let close = line.lastIndex(of: ")"), let open = line.firstIndex(of: "("), open < close,
            let pid = Int32(line[..<open].filter { $0 != " " })
        else { return nil }
        let fields = line[line.index(after: close)...].split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard fields.count >= 18, let state = fields[0].first, let parent = Int32(fields[1]),
            let group = Int32(fields[2]), let session = Int32(fields[3]), let threads = Int(fields[17]),
            let user = UInt64(fields[11]), let system = UInt64(fields[12]),
            let childUser = UInt64(fields[13]), let childSystem = UInt64(fields[14])
        else { return nil }
        self.pid = pid
        self.state = state
        self.parent = parent
        self.group = group
        self.session = session
        ticks = user &+ system
        childTicks = childUser &+ childSystem
        self.threads = threads
    }
}

extension ProcessStatus {
    /// Clock ticks in a second (sysconf(3)).
    package static let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    /// Reads the status of `pid`; nil when there is no such process.
    package init?(of pid: Int32) {
        guard let line = try? FileText.read("/proc/\(pid)/stat", limit: 8192) else { return nil }
        self.init(parsing: line)
    }

    /// All processes that can be seen now. It is no snapshot: processes come and go while it is taken.
    package static func all() -> [ProcessStatus] {
        let names = (try? Folder.children(of: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { ProcessStatus(of: $0) }
    }
}
