import JSON
import TaskModel

extension DocumentReader {
    /// `handler` with a `command`: the program's path, then its arguments.
    mutating func command(_ node: DocumentNode) -> ProgramCommand? {
        let expected = "the path of a program, and its arguments"
        guard let fields = fields(node, keys: ManifestKeys.command), let list = fields["command"],
            let nodes = elements(list, limit: ManifestLimits.commandWords, of: "texts, \(expected)")
        else { return nil }
        guard let program = nodes.first else { return refused(list, expected: expected, found: "an empty array") }
        var words = [path(program, expected: "the path of a program", PathSyntax.fault)]
        for node in nodes.dropFirst() { words.append(word(node)) }
        let complete = words.compactMap(\.self)
        let environment = environment(fields["environment"])
        let files = environmentFiles(fields["environmentFiles"])
        let folder = path(fields["workingDirectory"], expected: "the path of a folder", PathSyntax.fault)
        let mask = fileModeMask(fields["umask"])
        guard complete.count == words.count else { return nil }
        return ProgramCommand(
            complete, environment: environment, environmentFiles: files, workingDirectory: folder, fileModeMask: mask)
    }

    private mutating func environment(_ node: DocumentNode?) -> [String] {
        guard let node else { return [] }
        guard case .object(let members) = node.value.content else {
            refuse(node, expected: "an object of names and texts")
            return []
        }
        guard members.count <= ManifestLimits.variables else {
            refuse(node, expected: "at most \(ManifestLimits.variables) variables", found: "\(members.count)")
            return []
        }
        var variables: [String] = []
        for member in members {
            let place = DocumentNode(member.value, at: node.path.member(member.key))
            guard EnvironmentFile.isName(member.key), !member.key.hasPrefix("TASKHOST_") else {
                refuse(
                    place, expected: "a name of letters, digits and \"_\", which does not begin with \"TASKHOST_\"",
                    found: "the name \"\(member.key)\"")
                continue
            }
            if let value = word(place) { variables.append("\(member.key)=\(value)") }
        }
        return variables
    }

    private mutating func environmentFiles(_ node: DocumentNode?) -> [String] {
        guard
            let nodes = elements(
                node, limit: ManifestLimits.environmentFiles,
                of: "paths of files, with \"-\" before one that may be missing")
        else { return [] }
        return nodes.compactMap { node in
            path(node, expected: "the path of a file, with \"-\" before it if it may be missing") {
                PathSyntax.fault(ProgramCommand.place(of: $0).path)
            }
        }
    }

    private mutating func fileModeMask(_ node: DocumentNode?) -> UInt32? {
        guard let node else { return nil }
        guard let text = node.value.string, (3...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x37).contains($0) }), let mask = UInt32(text, radix: 8), mask <= 0o777
        else { return refused(node, expected: "three octal digits, such as \"022\"") }
        return mask
    }

    /// Any text that a program can be given: also an empty one, and one of several lines.
    private mutating func word(_ node: DocumentNode) -> String? {
        let expected = "a text without NUL, of at most \(ManifestLimits.commandWordBytes) bytes"
        guard case .string(let text) = node.value.content, !text.utf8.contains(0),
            text.utf8.count <= ManifestLimits.commandWordBytes
        else { return refused(node, expected: expected) }
        return text
    }
}
