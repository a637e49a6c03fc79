/// A file that is executed, and what the kernel needs for it (execve(2)): the loader of a program, the interpreter of a script.
package enum ProgramFile {
    /// Why a file cannot be executed.
    package struct Fault: Error, Equatable {
        /// What was found, for people.
        package var sentence: String
    }

    /// Where programs without a path are looked for.
    package static let searchPath = ["/usr/bin", "/bin"]
    /// Interpreters of interpreters; the kernel follows five.
    private static let deepest = 5
    /// Bytes of a file that are read: longer than the kernel reads of a script's first line, and than the headers of a program.
    private static let head = 4096

    /// The file and all files that executing it executes, in the order in which the kernel comes to them. `env` stands for the
    /// program that it looks for as well.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - willRead: receives each of them before it is read.
    /// - Throws: what keeps it from being executed.
    package static func chain(
        of path: String, willRead: (String) -> Void = { _ in }
    ) throws(Fault) -> [String] {
        var paths: [String] = []
        var next = path
        while true {
            guard paths.count < deepest else {
                throw Fault(sentence: "\(path), with more than \(deepest) interpreters")
            }
            paths.append(next)
            willRead(next)
            let bytes = try beginning(of: next)
            guard bytes.starts(with: "#!".utf8) else {
                if let loader = try loader(bytes, next) { paths.append(loader) }
                return paths
            }
            let words = firstLine(bytes)
            guard let interpreter = words.first, interpreter.hasPrefix("/") else {
                throw Fault(sentence: "\(next), a script without the absolute path of an interpreter")
            }
            guard interpreter.hasSuffix("/env") else {
                next = interpreter
                continue
            }
            paths += try chain(of: interpreter, willRead: willRead)
            guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
                let found = look(for: name)
            else { throw Fault(sentence: "\(next), whose interpreter is not in \(searchPath.joined(separator: ":"))") }
            next = found
        }
    }

    private static func look(for name: String) -> String? {
        guard !name.contains("/") else { return name }
        return searchPath.map { "\($0)/\(name)" }.first { (try? FileSystem.followedFacts(of: $0))?.isFile == true }
    }

    private static func beginning(of path: String) throws(Fault) -> [UInt8] {
        do throws(SystemError) {
            let file = try Descriptor.open(path, [.O_RDONLY, .O_NONBLOCK, .O_NOCTTY])
            let facts = try FileSystem.facts(of: file)
            guard facts.isFile else { throw SystemError("execve", code: .EACCES, object: path) }
            guard facts.mode & 0o111 != 0 else { throw SystemError("execve", code: .EPERM, object: path) }
            return try file.read(head, at: 0)
        } catch {
            switch error.code {
            case .ENOENT, .ENOTDIR: throw Fault(sentence: "\(path), which is not there")
            case .EPERM: throw Fault(sentence: "\(path), which nobody may execute")
            default: throw Fault(sentence: "\(path), which cannot be read: \(error.code)")
            }
        }
    }

    private static func firstLine(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
            .split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
    }

    /// PT_INTERP of an ELF file of this machine's width (elf(5)); nil: it is linked statically.
    private static func loader(_ bytes: [UInt8], _ path: String) throws(Fault) -> String? {
        func number(_ offset: Int, _ width: Int) -> Int {
            guard offset >= 0, offset + width <= bytes.count else { return 0 }
            return (0..<width).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
        }
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else {
            throw Fault(sentence: "\(path), neither a program of this machine nor a script with an interpreter")
        }
        let (headers, size, count) = (number(32, 4), number(54, 2), number(56, 2))
        for index in 0..<min(count, 64) {
            let header = headers + index * size
            guard number(header, 4) == 3 else { continue }
            let (start, length) = (number(header + 8, 4), number(header + 32, 4))
            guard length > 1, start + length <= bytes.count else {
                throw Fault(sentence: "\(path), whose loader is not named where loaders are")
            }
            return String(decoding: bytes[start..<start + length - 1], as: UTF8.self)
        }
        return nil
    }
}
