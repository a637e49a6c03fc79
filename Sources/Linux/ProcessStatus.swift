import Glibc

/// The contents of `/proc/PID/stat` (proc_pid_stat(5)).
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
    /// When it began, in clock ticks since the machine did; 0 where the line ends before.
    package var start: UInt64

    /// A leader that has exited while its threads continue appears as a zombie too, hence the count.
    package var isAlive: Bool { (state != "Z" && state != "X") || threads > 1 }

    /// Reads the one line of `/proc/PID/stat`; nil when it is not in that form.
    package init?(parsing line: Span<UInt8>) {
        // The name is in brackets and may itself contain brackets and spaces: the last one counts.
        guard let close = Self.lastBracket(in: line) else { return nil }
        var at = 0
        guard let pid = FileText.number(in: line, &at) else { return nil }
        at = close + 2
        guard at < line.count, line[at] > UInt8(ascii: " ") else { return nil }
        let letter = line[at]
        at += 1
        // From the parent (field 4) to the number of threads (field 20).
        var fields = InlineArray<17, Int64>(repeating: 0)
        for index in fields.indices {
            guard let value = FileText.number(in: line, &at) else { return nil }
            fields[index] = value
        }
        _ = FileText.number(in: line, &at)
        start = FileText.number(in: line, &at).map { UInt64(clamping: $0) } ?? 0
        self.pid = Int32(truncatingIfNeeded: pid)
        state = Character(Unicode.Scalar(letter))
        parent = Int32(truncatingIfNeeded: fields[0])
        group = Int32(truncatingIfNeeded: fields[1])
        session = Int32(truncatingIfNeeded: fields[2])
        ticks = UInt64(clamping: fields[10] &+ fields[11])
        childTicks = UInt64(clamping: fields[12] &+ fields[13])
        threads = Int(fields[16])
    }

    private static func lastBracket(in line: Span<UInt8>) -> Int? {
        var index = line.count - 1
        while index >= 0 && line[index] != UInt8(ascii: ")") { index -= 1 }
        return index >= 0 ? index : nil
    }
}

extension ProcessStatus {
    /// Clock ticks in a second (sysconf(3)).
    package static let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    /// Reads the status of `pid`; nil when there is no such process.
    package init?(of pid: Int32) {
        guard let file = try? Descriptor.open("/proc/\(pid)/stat", .O_RDONLY),
            let status = FileText.withStart(of: file.number, { ProcessStatus(parsing: $0) })
        else { return nil }
        self = status
    }

    /// The short name of the process's program, such as `sqlite3`; nil when there is no such process.
    package static func name(of pid: Int32) -> String? {
        guard let text = try? FileText.read("/proc/\(pid)/comm", limit: 64) else { return nil }
        return text.split(separator: "\n").first.map(String.init)
    }

    /// The threads of the process; none when there is no such process.
    static func threads(of pid: Int32) -> [Int32] {
        ((try? Folder.children(of: "/proc/\(pid)/task")) ?? []).compactMap { Int32($0) }
    }

    /// All processes that are visible now. It is not a snapshot: processes start and end while it is taken.
    package static func all() -> [ProcessStatus] {
        let names = (try? Folder.children(of: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { ProcessStatus(of: $0) }
    }
}
