import Glibc
import Linux

/// The surroundings of a wait that timed out: the load of the machine, and the processes that come from this one.
package enum Surroundings {
    /// Lines of text, for the end of a failure.
    package static var text: String {
        let load = (try? FileText.read("/proc/loadavg"))?.split(separator: "\n").first ?? "unknown"
        return """
            load: \(load); the life of a process takes \(Patience.life())
            processes:
            \(tree(below: getpid(), indent: "  ").joined(separator: "\n"))
            """
    }

    private struct Line {
        var parent: Int32
        var text: String
    }

    /// The process and what comes from it, a line each: number, state, where it waits in the kernel, and its words.
    private static func tree(below root: Int32, indent: String) -> [String] {
        var children: [Int32: [Int32]] = [:]
        var lines: [Int32: String] = [:]
        for name in (try? FileSystem.names(in: "/proc")) ?? [] {
            guard let process = Int32(name), let line = line(of: process) else { continue }
            lines[process] = line.text
            children[line.parent, default: []].append(process)
        }
        var shown: [String] = []
        func show(_ process: Int32, _ indent: String) {
            shown.append(indent + (lines[process] ?? "\(process) gone"))
            for child in (children[process] ?? []).sorted() { show(child, indent + "  ") }
        }
        show(root, indent)
        // A process that has lost its parent comes from a host all the same: its zygote or its workers.
        for orphan in (children[1] ?? []).sorted() where lines[orphan]?.contains("taskhost") == true {
            show(orphan, indent)
        }
        return shown
    }

    private static func line(of process: Int32) -> Line? {
        // The name is in parentheses and may hold anything: the fields begin behind the last one (proc(5)).
        guard let text = try? FileText.read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        let place = (try? FileText.read("/proc/\(process)/wchan")) ?? ""
        let words = ((try? FileText.read("/proc/\(process)/cmdline")) ?? "").split(separator: "\0").prefix(8)
            .joined(separator: " ")
        let name = words.isEmpty ? String(text[..<end].drop { $0 != "(" }) + ")" : String(words.prefix(200))
        return Line(parent: parent, text: "\(process) \(fields[0]) \(place.isEmpty ? "-" : place) \(name)")
    }
}

extension Problem {
    /// A wait that timed out.
    /// - Parameters:
    ///   - what: what it waited for.
    ///   - seen: what came instead.
    package static func vain(_ what: String, seen: String) -> Problem {
        Problem("waited in vain for \(what); \(seen)\n\(Surroundings.text)")
    }
}
