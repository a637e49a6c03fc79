import Glibc

/// Memory of single processes, from `/proc`.
package enum ProcessMemory {
    /// Resident bytes, pages shared with other processes included; nil once the process has ended.
    package static func resident(of pid: Int32) -> UInt64? {
        guard let file = try? Descriptor.open("/proc/\(pid)/statm", .O_RDONLY) else { return nil }
        return FileText.withStart(of: file.number) { residentPages(in: $0) }.map { $0 &* pageSize }
    }

    /// Of the machine, in bytes; nil: the C library does not say.
    package static var ofMachine: UInt64? {
        UInt64(exactly: sysconf(Int32(_SC_PHYS_PAGES))).map { $0 * pageSize }
    }

    private static let pageSize = UInt64(max(1, sysconf(Int32(_SC_PAGESIZE))))

    /// Bytes with each shared page counted in proportion (Pss); nil once the process has ended, or when its memory is
    /// not readable, as for a process that made itself undumpable.
    package static func proportional(of pid: Int32) -> UInt64? {
        guard let text = try? FileText.read("/proc/\(pid)/smaps_rollup", limit: 16_384) else { return nil }
        return kibibytes(of: "Pss:", in: text).map { $0 << 10 }
    }

    /// Highest resident size so far, in bytes; nil once the process has ended.
    package static func peak(of pid: Int32) -> UInt64? {
        guard let text = try? FileText.read("/proc/\(pid)/status", limit: 16_384) else { return nil }
        return kibibytes(of: "VmHWM:", in: text).map { $0 << 10 }
    }

    /// The second number of `/proc/PID/statm`.
    package static func residentPages(in text: Span<UInt8>) -> UInt64? {
        var at = 0
        guard FileText.number(in: text, &at) != nil else { return nil }
        return FileText.number(in: text, &at).flatMap { UInt64(exactly: $0) }
    }

    /// The number of a line such as `Pss:      812 kB`.
    package static func kibibytes(of key: String, in text: String) -> UInt64? {
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            let fields = line.dropFirst(key.count).split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let value = fields.first, let number = UInt64(value), number < 1 << 50 else { return nil }
            return number
        }
        return nil
    }
}
