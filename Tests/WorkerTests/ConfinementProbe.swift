import CLinux
import Glibc
import TestSupport

/// Runs `confinement-probe`, which is beside the test bundle, and reads what it prints.
struct ConfinementProbe {
    enum Verdict: Equatable {
        case allowed
        case refused(Int32)
        case killed(Int32)
        case failed(String)
    }

    var verdict: Verdict
    /// `key=value` parts of the report; nil when the child made none.
    var report: [String: String]?
    var log: [String]

    /// Runs it to its end.
    static func run(_ arguments: [String]) -> ConfinementProbe {
        guard var process = Process(arguments) else { return failure("the probe could not be started") }
        var lines: [String] = []
        while let line = process.nextLine() { lines.append(line) }
        let status = process.wait()
        guard status == 0, let last = lines.popLast() else { return failure("the probe ended with status \(status)") }
        let report = lines.last { $0.hasPrefix("report ") }.map { parts(of: $0) }
        let log = lines.filter { $0.hasPrefix("log ") }.map { String($0.dropFirst(4)) }
        return ConfinementProbe(verdict: verdict(last), report: report, log: log)
    }

    static func parts(of line: String) -> [String: String] {
        var parts: [String: String] = [:]
        for part in line.split(separator: " ") {
            guard let equals = part.firstIndex(of: "=") else { continue }
            parts[String(part[..<equals])] = String(part[part.index(after: equals)...])
        }
        return parts
    }

    private static func verdict(_ line: String) -> Verdict {
        let words = line.split(separator: " ")
        let number = words.count == 2 ? Int32(words[1]) : nil
        switch (words.first, number) {
        case ("allowed", nil): return .allowed
        case ("refused", .some(let code)): return .refused(code)
        case ("killed", .some(let signal)): return .killed(signal)
        default: return .failed(line)
        }
    }

    private static func failure(_ text: String) -> ConfinementProbe {
        ConfinementProbe(verdict: .failed(text), report: nil, log: [])
    }
}

extension ConfinementProbe {
    /// A started probe whose standard output is read line by line.
    struct Process {
        let pid: pid_t
        private let output: Int32
        private var bytes: [UInt8] = []

        init?(_ arguments: [String]) {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let length = readlink("/proc/self/exe", &buffer, buffer.count)
            guard length > 0 else { return nil }
            let runner = String(decoding: buffer.prefix(length), as: UTF8.self)
            let path = runner.prefix(through: runner.lastIndex(of: "/") ?? runner.startIndex) + "confinement-probe"
            self.init(path: String(path), arguments)
        }

        init?(path: String, _ arguments: [String]) {
            var ends: [Int32] = [-1, -1]
            guard clinux_pipe(&ends, 0) == 0 else { return nil }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_addclosefrom_np(&actions, 3)
            defer { posix_spawn_file_actions_destroy(&actions) }
            var words = ([path] + arguments).map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var child: pid_t = 0
            let code = posix_spawn(&child, path, &actions, nil, &words, environ)
            _ = close(ends[1])
            output = ends[0]
            pid = child
            guard code == 0 else {
                _ = close(output)
                return nil
            }
        }

        /// The next line; nil at the end of the output.
        mutating func nextLine() -> String? {
            while true {
                if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { bytes.removeFirst(end + 1) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                var chunk = [UInt8](repeating: 0, count: 4096)
                let count = read(output, &chunk, chunk.count)
                guard count > 0 else { return nil }
                bytes += chunk.prefix(count)
            }
        }

        /// Reaps it. Its exit status, or 128 and the signal that ended it.
        func wait() -> Int32 {
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            _ = close(output)
            return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
        }
    }
}
