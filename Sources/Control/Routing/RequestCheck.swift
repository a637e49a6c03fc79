package import JSON
import Manifests

/// Validates a request with its route's schemas.
enum RequestCheck {
    /// Bytes of JSON that are parsed of what came by a socket.
    static let bodyBytes = 1 << 20

    static func query(_ request: ControlRequest, _ route: Route) throws(Problem) -> Exchange.Fields {
        var members: [JSONMember] = []
        var faults: [Problem.Fault] = []
        for (name, text) in request.query {
            let path = "query.\(JSONWriter.excerpt(name))"
            guard let parameter = route.query.first(where: { $0.name == name }) else {
                let known = route.query.map(\.name)
                faults.append(
                    Problem.Fault(
                        path: path, found: "the unknown parameter \(JSONWriter.quoted(name))",
                        expected: known.isEmpty ? "no parameters" : "one of " + known.joined(separator: ", "),
                        hint: Nearest.hint(for: name, among: known)))
                continue
            }
            guard !members.contains(where: { $0.isNamed(name) }) else {
                faults.append(Problem.Fault(path: path, found: "it again", expected: "each parameter once"))
                continue
            }
            let value = parameter.schema.value(of: text)
            faults += Self.faults(of: value, parameter.schema, at: path)
            members.append(JSONMember(key: name, keyPosition: .start, value: value))
        }
        guard faults.isEmpty else { throw .badRequest(faults) }
        return Exchange.Fields(values: JSONValue(.object(members), at: .start))
    }

    static func body(_ request: ControlRequest, _ route: Route) throws(Problem) -> Exchange.Fields {
        guard let schema = route.body else {
            guard request.body.isEmpty else {
                throw .badRequest([Problem.Fault(path: "$", found: "a body", expected: "none")])
            }
            return Exchange.Fields(values: JSONValue(.null, at: .start))
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                request.body, maximumBytes: request.peer == .own ? request.body.count : bodyBytes)
        } catch {
            throw .badRequest([
                Problem.Fault(
                    path: "$ at line \(error.position.line), column \(error.position.column)", found: error.found,
                    expected: error.expected, hint: error.hint)
            ])
        }
        let faults = faults(of: value, schema, at: "$")
        guard faults.isEmpty else { throw .badRequest(faults) }
        return Exchange.Fields(values: value)
    }

    /// Every fault of a value; `path` takes the place of the document's root.
    static func faults(of value: JSONValue, _ schema: Schema, at path: String) -> [Problem.Fault] {
        var reader = DocumentReader(file: "")
        schema.check(DocumentNode(value, at: .root), &reader)
        return reader.diagnostics.map {
            Problem.Fault(path: path + $0.path.dropFirst(), found: $0.found, expected: $0.expected, hint: $0.hint)
        }
    }
}

extension Schema {
    /// Excess and missing parts of a document: empty when it matches.
    package func faults(in document: JSONValue) -> [Problem.Fault] {
        RequestCheck.faults(of: document, self, at: "$")
    }
}

extension Problem {
    /// The request is not what its route takes.
    package static func badRequest(_ faults: [Fault]) -> Problem {
        let first = faults.first.map { "found \($0.found) at \($0.path), expected \($0.expected)" } ?? "it is malformed"
        return Problem(
            400, "bad-request", title: "Bad request",
            detail: "the request is wrong; \(faults.count) \(faults.count == 1 ? "fault" : "faults"): \(first); "
                + "correct it, see /v1/openapi.json", errors: faults)
    }
}
