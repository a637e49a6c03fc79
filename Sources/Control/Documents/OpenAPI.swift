import JSON

/// The description of the API for users and programs, generated from the routes (OpenAPI 3.1).
enum OpenAPI {
    /// The errors of any request, in addition to those of its route.
    private static let common = [400, 403, 404, 405, 413, 415, 501, 503]

    static func document(of routes: [Route], version: String) -> JSONOutput {
        var paths: [String] = []
        for route in routes where !paths.contains(route.pattern.description) { paths.append(route.pattern.description) }
        var named: [String: Schema] = [:]
        Schema.problem.collectNamed(into: &named)
        for route in routes {
            route.body?.collectNamed(into: &named)
            route.schema?.collectNamed(into: &named)
        }
        let operations = paths.map { path in
            JSONOutput.Member(
                path,
                .object(
                    routes.filter { $0.pattern.description == path }.map {
                        JSONOutput.Member($0.method.rawValue.lowercased(), operation($0))
                    }))
        }
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "taskhost control API", "version": .string(version), "description": .string(description),
            ]),
            "servers": [["url": "http://localhost", "description": "over the Unix socket control.sock"]],
            "paths": .object(operations),
            "components": .object([
                "schemas": .object(
                    named.sorted { $0.key < $1.key }.map { JSONOutput.Member($0.key, $0.value.document) })
            ]),
        ])
    }

    private static let description = """
        What the taskhost command line uses, over the socket control.sock of the state folder: \
        curl --unix-socket DIR/control.sock http://localhost/v1/host. Errors are problem documents (RFC 9457); what is no \
        HTTP at all is answered with a bare page of the status by the HTTP library.
        """

    private static func operation(_ route: Route) -> JSONOutput {
        var members: [JSONOutput.Member] = [
            .init("operationId", .string(route.name)), .init("summary", .string(route.summary)),
        ]
        let parameters = route.pattern.parameters.map { pathParameter($0) } + route.query.map { queryParameter($0) }
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if let body = route.body {
            members.append(
                .init("requestBody", ["required": true, "content": ["application/json": ["schema": body.document]]]))
        }
        members.append(.init("responses", responses(route)))
        return .object(members)
    }

    private static func pathParameter(_ name: String) -> JSONOutput {
        ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
    }

    private static func queryParameter(_ parameter: Route.Parameter) -> JSONOutput {
        var members: [JSONOutput.Member] = [
            .init("name", .string(parameter.name)), .init("in", "query"), .init("required", false),
            .init("description", .string(parameter.summary)), .init("schema", parameter.schema.document),
        ]
        if case .array = parameter.schema {
            members += [.init("style", "form"), .init("explode", false)]
        }
        return .object(members)
    }

    private static func responses(_ route: Route) -> JSONOutput {
        let content: JSONOutput =
            switch route.reply {
            case .json(let schema): ["application/json": ["schema": schema.document]]
            case .textOrJSON(_, let schema):
                [
                    "text/plain": ["schema": ["type": "string"]], "application/json": ["schema": schema.document],
                ]
            case .text: ["text/plain": ["schema": ["type": "string"]]]
            case .metrics:
                [
                    "text/plain": ["schema": ["type": "string"]],
                    "application/openmetrics-text": ["schema": ["type": "string"]],
                ]
            case .file(let type): .object([.init(type, [:])])
            case .events: ["text/event-stream": ["schema": ["type": "string"]]]
            }
        var responses = [
            JSONOutput.Member(String(route.status), ["description": "done as asked", "content": content])
        ]
        for status in Set(common + route.problems).sorted() {
            responses.append(
                JSONOutput.Member(
                    String(status),
                    [
                        "description": .string(phrase(status)),
                        "content": ["application/problem+json": ["schema": Schema.problem.document]],
                    ]))
        }
        return .object(responses)
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 400: "the request is malformed"
        case 403: "this user may not do that"
        case 404: "it does not exist"
        case 405: "the path knows other methods"
        case 409: "it cannot be done at present"
        case 413: "the body is too large"
        case 415: "the body is not said to be JSON"
        case 429: "too much waits already"
        case 507: "there is no room on the disk"
        case 422: "the request is well formed, and not allowed"
        case 501: "the transfer encoding is not known"
        default: "the host is stopping or has no room"
        }
    }
}
