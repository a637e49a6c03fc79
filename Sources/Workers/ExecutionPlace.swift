import Linux

/// The place of a process's first thread: its program counter, and its callers, by the mapped libraries. Another user's
/// process, or one that made itself undumpable, is visible only to root (ptrace(2)).
struct ExecutionPlace {
    private let pid: Int32
    /// nil: it is running.
    private var call: Int?
    private var stack: UInt64 = 0
    private var counter: UInt64?
    private var mappings: [Mapping] = []

    struct Mapping: Equatable {
        var start: UInt64
        var end: UInt64
        var offset: UInt64
        var path: String

        /// The last part of the path and the place in the file.
        func name(_ address: UInt64) -> String {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            return "\(file)+0x\(String(address - start + offset, radix: 16))"
        }
    }

    /// Of the stack, looked through for what called.
    private static let stackBytes = 16 << 10

    init?(of pid: Int32) {
        self.pid = pid
        guard let text = try? FileText.read("/proc/\(pid)/syscall", limit: 4096),
            let maps = try? FileText.read("/proc/\(pid)/maps", limit: 1 << 20)
        else { return nil }
        let fields = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
        mappings = Self.executable(in: maps)
        guard fields.first != "running" else { return }
        guard fields.count >= 3, let number = Int(fields[0]), let stack = Self.hexadecimal(fields[fields.count - 2]),
            let counter = Self.hexadecimal(fields[fields.count - 1])
        else { return nil }
        call = number
        self.stack = stack
        self.counter = counter
    }

    /// - Parameter library: the file whose code is searched among the callers.
    func description(library: String?) -> String? {
        guard let call, let counter else { return "it is computing" }
        let here = mapping(of: counter)?.name(counter) ?? "0x\(String(counter, radix: 16))"
        let doing = call >= 0 ? "in system call \(call) at \(here)" : "blocked at \(here)"
        guard let library, mapping(of: counter)?.path != library, let caller = caller(in: library) else { return doing }
        // Taken from the stack without unwinding it: the address may be left over from an earlier call.
        return "\(doing), probably called from \(caller)"
    }

    private func mapping(of address: UInt64) -> Mapping? {
        mappings.first { $0.start <= address && address < $0.end }
    }

    /// The innermost word of the stack that points into the code of the file.
    private func caller(in path: String) -> String? {
        guard mappings.contains(where: { $0.path == path }),
            let memory = try? Descriptor.open("/proc/\(pid)/mem", .O_RDONLY)
        else { return nil }
        guard let bytes = try? memory.read(Self.stackBytes, at: Int64(bitPattern: stack))
        else {
            return nil
        }
        for start in stride(from: 0, through: bytes.count - 8, by: 8) {
            let word = bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let address = Self.address(in: word)
            if let found = mapping(of: address), found.path == path { return found.name(address) }
        }
        return nil
    }

    /// The address in a word of the stack. Where aarch64 signs return addresses, the signature is in the bits above those of an
    /// address, of which a process has 48 unless it asks for more ("Pointer authentication in AArch64 Linux" and "Memory Layout on
    /// AArch64 Linux", the kernel's documentation).
    private static func address(in word: UInt64) -> UInt64 {
        #if arch(arm64)
        word & 0xffff_ffff_ffff
        #else
        word
        #endif
    }

    private static func hexadecimal(_ text: Substring) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }

    /// The executable mappings of files in the text of `/proc/PID/maps` (proc_pid_maps(5)).
    static func executable(in text: String) -> [Mapping] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count == 6, fields[1].contains("x") else { return nil }
            let ends = fields[0].split(separator: "-")
            guard ends.count == 2, let start = UInt64(ends[0], radix: 16), let end = UInt64(ends[1], radix: 16),
                let offset = UInt64(fields[2], radix: 16), start < end
            else { return nil }
            return Mapping(start: start, end: end, offset: offset, path: String(fields[5].drop { $0 == " " }))
        }
    }
}
