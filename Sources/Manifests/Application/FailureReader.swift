import JSON
import TaskModel

/// What answers a failure (`onFailure`).
enum FailureAnswer {
    /// A task of the same manifest.
    case task(String)
    /// A program: it becomes a task of its own, so that it is confined, recorded and shown as every other.
    case command(ProgramCommand)
    case webhook(String)
}

/// What gets a run's output (`onOutput`).
enum OutputAnswer {
    /// A task of the same manifest.
    case task(String)
    /// A program: a task of its own, as one that answers a failure.
    case command(ProgramCommand)
}

extension DocumentReader {
    /// Reads `onFailure`: what answers, and which ends of runs.
    ///
    /// - Parameter grants: where the application may connect.
    mutating func failureAnswer(
        _ node: DocumentNode?, hasLibrary: Bool, grants: [NetworkGrant]
    ) -> (answer: FailureAnswer, ends: [FailureTrigger])? {
        guard let node else { return nil }
        guard case .object(let members) = node.value.content,
            members.contains(where: { ManifestKeys.answer.contains($0.key) })
        else { return answer(node, hasLibrary: hasLibrary, grants: grants).map { ($0, [.failed]) } }
        guard let fields = fields(node, keys: ManifestKeys.answer) else { return nil }
        let ends = fields["when"].map { answeredEnds($0) } ?? [.failed]
        let expected = "a task of this manifest, or an object with a \"command\" or a \"webhook\""
        guard let place = required(fields, "do", expected: expected) else { return nil }
        return answer(place, hasLibrary: hasLibrary, grants: grants).map { ($0, ends) }
    }

    private mutating func answeredEnds(_ node: DocumentNode) -> [FailureTrigger] {
        let words = FailureTrigger.allCases.map { ($0.name, $0) }
        let expected = "one or several of " + words.map { "\"\($0.0)\"" }.joined(separator: ", ")
        let nodes = elements(node, limit: words.count, of: expected) ?? []
        if nodes.isEmpty, case .array = node.value.content { refuse(node, expected: expected, found: "an empty array") }
        return nodes.compactMap { choice($0, words) }
    }

    private mutating func answer(
        _ node: DocumentNode, hasLibrary: Bool, grants: [NetworkGrant]
    ) -> FailureAnswer? {
        switch node.value.content {
        case .string: return identifier(node).map(FailureAnswer.task)
        case .object(let members) where members.contains(where: { $0.isNamed("webhook") }):
            guard let fields = fields(node, keys: ManifestKeys.webhook), let place = fields["webhook"] else {
                return nil
            }
            return webhook(place, grants).map(FailureAnswer.webhook)
        case .object:
            return answeringCommand(node, hasLibrary: hasLibrary, beside: ", or a \"webhook\"").map(
                FailureAnswer.command)
        case .null, .bool, .integer, .unsigned, .double, .array:
            return refused(
                node, expected: "a task of this manifest, or an object with a \"command\" or a \"webhook\"")
        }
    }

    /// Reads `onOutput`.
    mutating func outputAnswer(_ node: DocumentNode?, hasLibrary: Bool) -> OutputAnswer? {
        guard let node else { return nil }
        switch node.value.content {
        case .string: return identifier(node).map(OutputAnswer.task)
        case .object: return answeringCommand(node, hasLibrary: hasLibrary).map(OutputAnswer.command)
        case .null, .bool, .integer, .unsigned, .double, .array:
            return refused(node, expected: "a task of this manifest, or an object with a \"command\"")
        }
    }

    private mutating func answeringCommand(
        _ node: DocumentNode, hasLibrary: Bool, beside other: String = ""
    ) -> ProgramCommand? {
        guard hasLibrary else { return command(node) }
        return refused(
            node, expected: "no \"command\" beside a \"library\"",
            hint: "name a task of the library\(other); what a program may execute, a library may not")
    }

    private mutating func webhook(_ node: DocumentNode, _ grants: [NetworkGrant]) -> String? {
        let expected = "a URL such as \"https://alerts.example.com/taskhost\""
        guard let text = text(node, limit: ManifestLimits.urlBytes, expected: expected) else { return nil }
        guard let url = WebURL(text), text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "#") }) else {
            return refused(node, expected: expected, found: "no URL of HTTP")
        }
        let authority = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        if authority.count > 1,
            authority[1...].first(where: { !$0.isEmpty })?.prefix(while: { $0 != "/" && $0 != "?" })
                .contains("@") == true
        {
            return refused(
                node, expected: "a URL without a user", found: "a URL with one",
                hint: "give the receiver a secret in the path or the query")
        }
        guard NetworkGrant.mayReach(url.host, port: url.port, by: grants) else {
            let place = url.host.contains(":") ? "[\(url.host)]" : url.host
            return refused(
                node, expected: "a URL that the application's permissions let it reach",
                found: "one of \(place):\(url.port)",
                hint: "add \"\(place):\(url.port)\" to \"permissions\".\"network\"")
        }
        return text
    }
}
