import JSON
import TaskModel

extension DocumentReader {
    /// `handler` with a `command`: the program's path, then its arguments.
    mutating func command(_ node: DocumentNode) -> [String]? {
        let expected = "the path of a program, and its arguments"
        guard let fields = fields(node, keys: ManifestKeys.command), let list = fields["command"],
            let nodes = elements(list, limit: ManifestLimits.commandWords, of: "texts, \(expected)")
        else { return nil }
        guard let program = nodes.first else { return refused(list, expected: expected, found: "an empty array") }
        var words = [path(program, expected: "the path of a program", PathSyntax.fault)]
        for node in nodes.dropFirst() { words.append(word(node)) }
        let complete = words.compactMap(\.self)
        return complete.count == words.count ? complete : nil
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
