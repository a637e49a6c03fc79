/// What walks over processes read: `/proc`, or a test's play of it. Each call reads one file or one folder.
///
/// Thread: any; none of the calls keeps anything.
package protocol ProcessSource {
    /// `/proc/PID/stat`; nil: there is no such process.
    func status(of pid: Int32) -> ProcessStatus?
    /// The names in `/proc/PID/task`; none: there is no such process.
    func threads(of pid: Int32) -> [Int32]
    /// `/proc/PID/task/TID/children`: the children that this thread has made.
    ///
    /// - Throws: `EFBIG`: there are more than `most`; `ENOENT`: no such process, or a kernel without CONFIG_PROC_CHILDREN.
    func children(of pid: Int32, _ task: Int32, atMost most: Int) throws(SystemError) -> [Int32]
    /// Every process of the machine.
    func all() -> [ProcessStatus]
    /// Resident bytes, from `/proc/PID/statm`; nil once the process has ended.
    func resident(of pid: Int32) -> UInt64?
    /// Bytes with each shared page in proportion, from `/proc/PID/smaps_rollup`; nil: it has ended or must not be read.
    func proportional(of pid: Int32) -> UInt64?
}

/// The machine's own `/proc`.
package struct ProcFolder: ProcessSource {
    package init() {}

    package func status(of pid: Int32) -> ProcessStatus? { ProcessStatus(of: pid) }
    package func threads(of pid: Int32) -> [Int32] { ProcessStatus.threads(of: pid) }
    package func all() -> [ProcessStatus] { ProcessStatus.all() }
    package func resident(of pid: Int32) -> UInt64? { ProcessMemory.resident(of: pid) }
    package func proportional(of pid: Int32) -> UInt64? { ProcessMemory.proportional(of: pid) }

    /// Digits of a process's number and a blank.
    private static let longest = 11
    /// Of one list: more than there can be processes (`pid_max` is 4,194,304 at most, proc_sys_kernel(5)).
    private static let mostBytes = 64 << 20

    package func children(of pid: Int32, _ task: Int32, atMost most: Int) throws(SystemError) -> [Int32] {
        let path = "/proc/\(pid)/task/\(task)/children"
        let file = try Descriptor.open(path, .O_RDONLY)
        // Most lists are short or empty, and their end shows with the first read.
        if let short = Self.shortList(file.number) { return short }
        let limit = most < Self.mostBytes / Self.longest ? max(4096, most * Self.longest) : Self.mostBytes
        let text = try FileSystem.read(file, limit: limit, naming: path)
        return Self.numbers(in: text.span)
    }

    private static func shortList(_ file: Int32) -> [Int32]? {
        FileText.withStart(of: file) { $0.count < FileText.startLength ? numbers(in: $0) : nil }
    }

    /// Decimal numbers with blanks between them.
    private static func numbers(in text: Span<UInt8>) -> [Int32] {
        var found: [Int32] = []
        var at = 0
        while let number = FileText.number(in: text, &at) { found.append(Int32(clamping: number)) }
        return found
    }
}
