package import TaskModel

/// What a program says on `TASKHOST_NOTIFY_FD`, a line each: `PROGRESS=3/10 text`, `COMPLETED=success`, `COMPLETED=failure` and
/// `DEFER=90s`. Other lines count for nothing, as does what is longer than a line may be.
package struct ProgramNotices {
    /// Bytes of a line at most.
    private static let longest = 1024

    /// What it says of its success, which counts before its status; nil: nothing.
    package private(set) var success: Bool?
    /// When it is to be run again; nil: it does not ask for that.
    package private(set) var deferral: Deferral?
    private var line: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// Takes the next bytes, and hands on each report of progress in them.
    package mutating func take(_ bytes: [UInt8], progress: (_ completed: Int64, _ total: Int64, _ text: String) -> Void)
    {
        for byte in bytes {
            guard byte == 0x0A else {
                if line.count < Self.longest { line.append(byte) } else { isTooLong = true }
                continue
            }
            if !isTooLong { read(String(decoding: line, as: UTF8.self), progress) }
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
    }

    private mutating func read(_ line: String, _ progress: (Int64, Int64, String) -> Void) {
        guard let equals = line.firstIndex(of: "=") else { return }
        let value = line[line.index(after: equals)...]
        switch line[..<equals] {
        case "PROGRESS":
            let parts = value.split(separator: " ", maxSplits: 1)
            let numbers = (parts.first ?? "").split(separator: "/").map { Int64($0) }
            guard numbers.count == 2, let completed = numbers[0], let total = numbers[1], completed >= 0, total >= 0
            else { return }
            progress(completed, total, parts.count > 1 ? String(parts[1].prefix(256)) : "")
        case "COMPLETED":
            if value == "success" || value == "failure" { success = value == "success" }
        case "DEFER": deferral = TimeSpan(parsing: String(value)).flatMap { Deferral($0) }
        default: break
        }
    }
}
