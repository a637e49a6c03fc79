package import JSON
package import TaskModel

/// The end that the host made of an application's process, as the API and every verb write it.
package enum TerminationDocument {
    /// - Parameter frame: a place in code as it is written; without one its file and offset.
    package static func json(
        _ termination: Termination, frame: (OpenAssertion, Int) -> JSONOutput? = { _, _ in nil }
    ) -> JSONOutput {
        .object([
            "application": .string(termination.application),
            "at": .string(termination.at.iso8601),
            "reason": .string(termination.reason.name),
            "code": JSONOutput(termination.reason.codeText),
            "callback": JSONOutput(termination.callback?.name),
            "took": JSONOutput(termination.took?.seconds),
            "suspended": .bool(termination.wasSuspended),
            "assertionCount": JSONOutput(termination.assertionCount as UInt32?),
            "assertions": .array(
                termination.assertions.map { assertion in
                    .object([
                        "id": JSONOutput(assertion.id as UInt64?),
                        "name": assertion.name.isEmpty ? .null : .string(assertion.name),
                        "age": .double(assertion.age.seconds),
                        "frames": .array(
                            assertion.frames.indices.map { frame(assertion, $0) ?? place(assertion.frames[$0]) }),
                    ])
                }),
        ])
    }

    private static func place(_ place: CodePlace) -> JSONOutput {
        .object([
            "module": place.module.isEmpty ? .null : .string(place.module),
            "offset": JSONOutput(place.offset as UInt64?),
        ])
    }

    /// The termination of a document; nil when it is not one, or of a kind that only another version knows.
    package static func read(_ document: JSONValue) -> Termination? {
        guard let application = document["application"]?.string,
            let at = document.time("at"), let reason = document.word("reason", TerminationReason.self)
        else { return nil }
        return Termination(
            application: application, at: at, reason: reason, callback: document.word("callback"),
            took: document.span("took"),
            assertions: document["assertions"]?.array?.compactMap(assertion) ?? [],
            assertionCount: UInt32(clamping: document["assertionCount"]?.integer ?? 0),
            wasSuspended: document["suspended"]?.bool ?? false)
    }

    private static func assertion(_ document: JSONValue) -> OpenAssertion? {
        guard let id = document["id"]?.integer, let age = document.span("age") else { return nil }
        let frames = document["frames"]?.array?.compactMap { frame -> CodePlace? in
            guard let offset = frame["offset"]?.integer else { return nil }
            return CodePlace(module: frame["module"]?.string ?? "", offset: UInt64(clamping: offset))
        }
        return OpenAssertion(
            id: UInt64(clamping: id), name: document["name"]?.string ?? "", age: age, frames: frames ?? [])
    }
}
