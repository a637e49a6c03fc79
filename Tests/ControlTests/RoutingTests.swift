import Control
import JSON
import Testing

@Suite("The routes")
struct RoutingTests {
    /// Every route of the table, answered with what it was given.
    private func router() -> Router {
        let router = Router(version: "1")
        for route in Route.all where route.name != Route.openAPI.name {
            if case .events = route.reply {
                router.addStream(route) { _, stream in stream.finish() }
            } else {
                router.add(route) { exchange in exchange.reply(["route": .string(route.name)]) }
            }
        }
        return router
    }

    private func ask(_ router: Router, _ request: ControlRequest) throws -> (status: Int, document: JSONValue) {
        var replies: [ControlReply] = []
        router.handle(request) { replies.append($0) }
        #expect(replies.count == 1)
        let reply = try #require(replies.first)
        return (reply.status, try JSONParser.parse(reply.body, maximumBytes: 1 << 20))
    }

    @Test("Each route of the table is found by its method and path, and by no other")
    func findsEach() throws {
        let router = router()
        for route in Route.all where route.name != Route.openAPI.name && route.name != Route.watchEvents.name {
            let path = route.pattern.description.replacing("{id}", with: "com.example.a")
            let body = route.body == nil ? "" : #"{"identifier":"com.example.a"}"#
            let (status, document) = try ask(router, ControlRequest(route.method, path, body: Array(body.utf8)))
            if document["route"]?.string == route.name {
                #expect(status == route.status)
            } else {
                // The bodies of these have other keys: they were found, and refused the body.
                #expect(
                    [
                        "startRuns", "recordRun", "overrideDevice", "notifyApplication", "addTransfer", "playForecast",
                        "simulateFault", "advanceClock",
                    ].contains(route.name) && status == 400)
            }
            let unknown = try ask(router, ControlRequest(route.method, path + "/x/y/z"))
            #expect(unknown.status == 404)
            for method in ControlRequest.Method.allCases where !router.methods(of: path).contains(method) {
                #expect(try ask(router, ControlRequest(method, path)).status == 405)
            }
        }
    }

    @Test(
        "A path that only resembles one of the table is not found",
        arguments: [
            "", "/", "/v1", "/v1/", "v1/host", "/v1/host/", "/v1//host", "//v1/host", "/v1/hos", "/v1/hosts",
            "/V1/host",
            "/v1/tasks//why", "/v1/tasks/com.example.a/", "/v1/tasks/com.example.a/why/", "/v1/runs//log",
            "/v1/runs/a/lo",
            "/v1/re\u{301}load",
        ])
    func refusesResembling(_ path: String) throws {
        let router = router()
        #expect(router.methods(of: path).isEmpty)
        for method in ControlRequest.Method.allCases {
            #expect(try ask(router, ControlRequest(method, path)).status == 404, "\(method) \(path)")
        }
    }

    @Test("A handler gets any segment of the path, and a literal one takes precedence over one that varies")
    func segments() throws {
        let router = Router(version: "1")
        let replies: [(PathPattern, String)] = [
            ("/a/{id}", "one"), ("/a/{id}/log", "log"), ("/a/all", "all"), ("/a/all/{id}/x", "below"),
        ]
        for (pattern, name) in replies {
            router.add(Route(name, .get, pattern, summary: "", reply: .text)) { exchange in
                exchange.reply([
                    "route": .string(name),
                    "id": pattern.parameters.isEmpty ? .null : .string(exchange["id"]),
                ])
            }
        }
        let expected: [(String, String, String?)] = [
            ("/a/one", "one", "one"), ("/a/all", "all", nil), ("/a/all/log", "log", "all"),
            ("/a/é b/log", "log", "é b"),
            ("/a/all/log/x", "below", "log"), ("/a/{id}", "one", "{id}"),
        ]
        for (path, name, id) in expected {
            let (status, document) = try ask(router, ControlRequest(.get, path))
            #expect(status == 200 && document["route"]?.string == name && document["id"]?.string == id, "\(path)")
        }
    }

    @Test("All faults of a body are reported at once, each with its place, what was found and what would be right")
    func tellsAllFaults() throws {
        let body = #"{"identifer":"x","earliestBeginDate":"tomorrow","requiresExternalPower":"true","payload":"?"}"#
        let (status, problem) = try ask(router(), ControlRequest(.post, "/v1/requests", body: Array(body.utf8)))
        #expect(status == 400)
        #expect(problem["type"]?.string == "urn:taskhost:problem:bad-request")
        let errors = try #require(problem["errors"]?.array)
        #expect(
            errors.compactMap { $0["path"]?.string } == [
                "$.identifer", "$.earliestBeginDate", "$.requiresExternalPower", "$.payload",
            ])
        #expect(errors[0]["hint"]?.string == #"did you mean "identifier"?"#)
        #expect(errors[1]["found"]?.string == #""tomorrow""#)
        #expect(errors[1]["expected"]?.string?.contains("2026-03-01T12:00:00Z") == true)
    }

    static let malformed: [(String, String)] = [
        ("", "a value"), ("{", "a key"), (#"{"identifier":"a.b","identifier":"a.b"}"#, "each key once"),
        ("[]", "an object"), ("null", "an object"), (#"{"identifier":null}"#, "an identifier"),
        (#"{"identifier":"a.b"} x"#, "nothing after the value"), (#"{"identifier":"a..b"}"#, "an identifier"),
        (#"{"identifier":"a.b","earliestBeginDate":5}"#, "a time"), ("\u{FEFF}{}", "JSON from the first byte on"),
        (String(repeating: "[", count: 100), "nested at most"),
        (#"{"identifier":"a.b","requiresExternalPower":null}"#, "true or false"),
    ]
    @Test("A malformed body is refused with what was expected", arguments: malformed)
    func refusesMalformed(_ body: String, _ expected: String) throws {
        let (status, problem) = try ask(router(), ControlRequest(.post, "/v1/requests", body: Array(body.utf8)))
        #expect(status == 400)
        #expect(
            problem["errors"]?.array?.first?["expected"]?.string?.contains(expected) == true, "\(problem.compactText)")
    }

    static let queries: [(String, String, Int)] = [
        ("limit", "5", 200), ("limit", "0", 400), ("limit", "x", 400), ("limit", "10001", 400), ("limits", "5", 400),
        ("identifier", "com.example.a", 200), ("identifier", "a b", 400),
    ]
    @Test("Parameters of the query are checked like the body", arguments: queries)
    func checksQuery(_ name: String, _ value: String, _ expected: Int) throws {
        let (status, problem) = try ask(router(), ControlRequest(.get, "/v1/runs", query: [(name, value)]))
        #expect(status == expected)
        if expected == 400 { #expect(problem["errors"]?.array?.first?["path"]?.string == "query.\(name)") }
    }

    @Test("A parameter that is given twice is refused, and a body where none belongs")
    func refusesExcess() throws {
        let twice = ControlRequest(.get, "/v1/runs", query: [("limit", "1"), ("limit", "1")])
        #expect(try ask(router(), twice).status == 400)
        #expect(try ask(router(), ControlRequest(.get, "/v1/runs", body: Array("{}".utf8))).status == 400)
    }
}
