import Control
import Foundation
import JSON
import TaskModel
import Testing

@Suite("The OpenAPI document")
struct OpenAPITests {
    private func document() throws -> JSONValue {
        let router = Router(version: "1.2.3")
        for route in Route.all where route.name != Route.openAPI.name {
            if case .events = route.reply { router.addStream(route) { _, _ in } } else { router.add(route) { _ in } }
        }
        var replies: [ControlReply] = []
        router.handle(ControlRequest(.get, "/v1/openapi.json")) { replies.append($0) }
        return try JSONParser.parse(try #require(replies.first).body, maximumBytes: 1 << 20)
    }

    @Test("has each route once, with its parameters, body and reply, and nothing else")
    func hasRoutes() throws {
        let document = try document()
        #expect(document["openapi"]?.string == "3.1.0")
        #expect(document["info"]?["version"]?.string == "1.2.3")
        let paths = try #require(document["paths"]?.object)
        #expect(Set(paths.map(\.key)) == Set(Route.all.map(\.pattern.description)))
        #expect(paths.reduce(0) { $0 + ($1.value.object?.count ?? 0) } == Route.all.count)
        var names: Set<String> = []
        for route in Route.all {
            let operation = document["paths"]?[route.pattern.description]?[route.method.rawValue.lowercased()]
            #expect(operation?["operationId"]?.string == route.name)
            #expect(names.insert(route.name).inserted)
            let parameters = operation?["parameters"]?.array?.compactMap { $0["name"]?.string } ?? []
            #expect(parameters == route.pattern.parameters + route.query.map(\.name))
            #expect((operation?["requestBody"] != nil) == (route.body != nil))
            let replies = operation?["responses"]
            #expect(replies?[String(route.status)]?["content"] != nil)
            for status in route.problems {
                #expect(replies?[String(status)]?["content"]?["application/problem+json"] != nil)
            }
        }
    }

    @Test("has the rule of the manifests for identifiers")
    func identifiers() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let schema = try JSONParser.parse(
            Array(try Data(contentsOf: root.appending(path: "manifests/schema.json"))), maximumBytes: 1 << 20)
        let rule = try #require(schema["$defs"]?["taskIdentifier"])
        let request = try #require(try document()["components"]?["schemas"]?["NewRequest"]?["properties"])
        let identifier = try #require(request["identifier"])
        #expect(identifier["pattern"]?.string?.replacing("|:fetch|:push", with: "") == rule["pattern"]?.string)
        #expect(identifier["maxLength"]?.integer == rule["maxLength"]?.integer)
        #expect(identifier["not"]?.compactText == rule["not"]?.compactText && identifier["not"] != nil)
    }

    static let samples: [(route: String, body: String)] =
        [
            #"{"identifiers":["a.b"]}"#, #"{"all":true}"#, #"{"identifiers":["a.b"],"all":false}"#,
            #"{"identifiers":[]}"#,
            #"{"identifiers":["a.b"],"all":true}"#, "{}", #"{"all":false}"#, #"{"all":null}"#, #"{"identifiers":null}"#,
            #"{"identifiers":null,"all":true}"#, "[]", "null", #"{"all":true,"settings":{"a":1}}"#,
            #"{"all":true,"settings":[]}"#, #"{"all":1}"#, #"{"identifiers":"a.b"}"#, #"{"al":true}"#,
        ].map { ("startRuns", $0) }
        + [
            "a.b", "a.b.*", "a.b.c", "a.*", "*", "a..b", ".a", "a.", "-a.b", "a-.b", "a.b-", "a-b.c", "a b.c", "é.a",
            "",
            "a", "a_b.c", "a.b:fetch", "a:push", "a.b:fetc", "a.*:fetch", ":push", "a:fetch:push",
            String(repeating: "a.", count: 124) + "b:fetch", String(repeating: "a.", count: 125) + "b:fetch",
            "a.*.b", "a.b.**", "01ARZ3NDEKTSV4RRFFQ69G5FAV", String(repeating: "a.", count: 127) + "b",
            String(repeating: "a.", count: 127) + "bc", String(repeating: "a.", count: 127) + "*",
        ].map { ("simulateLaunch", "{\"identifier\":\"\($0)\"}") }
        + [
            #"{"disk":"ok"}"#, #"{"disk":"1GiB"}"#, #"{"disk":"12MiB"}"#, #"{"disk":"1 GiB"}"#, #"{"disk":"big"}"#,
            #"{"disk":"1TiB"}"#, #"{"battery":"100"}"#, #"{"battery":"101"}"#, #"{"battery":"none"}"#,
            #"{"battery":50}"#, #"{"power":"external","network":"none"}"#, #"{"power":"on"}"#, #"{"paths":"a"}"#, "{}",
        ].map { ("overrideDevice", $0) }

    @Test("says of every body what the check says of it", arguments: samples)
    func bodies(_ route: String, _ body: String) throws {
        let document = try document()
        let route = try #require(Route.all.first { $0.name == route })
        let operation = document["paths"]?[route.pattern.description]?[route.method.rawValue.lowercased()]
        let schema = try #require(operation?["requestBody"]?["content"]?["application/json"]?["schema"])
        let value = try JSONParser.parse(body, maximumBytes: 1 << 16)
        let isAllowed = JSONSchema(schema: schema, named: document["components"]?["schemas"]).allows(value)
        #expect(isAllowed == route.body?.faults(in: value).isEmpty, "\(route.body?.faults(in: value) ?? [])")
    }

    @Test(
        "says of every result what the check says of it",
        arguments: ["null", "1", "-1", "18446744073709551615", "1.5", "true", "\"nan\"", "\"pointer\"", "[]", "{}"])
    func results(_ result: String) throws {
        let document = try document()
        let run = try #require(document["components"]?["schemas"]?["Run"]?["properties"]?["result"])
        let value = try JSONParser.parse(result, maximumBytes: 1 << 10)
        let isAllowed = JSONSchema(schema: run, named: document["components"]?["schemas"]).allows(value)
        #expect(isAllowed == (value.array == nil && value.object == nil))
    }

    @Test("refers to schemas that are there")
    func resolvesReferences() throws {
        let document = try document()
        let names = Set(document["components"]?["schemas"]?.object?.map(\.key) ?? [])
        var seen = 0
        func walk(_ value: JSONValue) {
            if let reference = value["$ref"]?.string {
                seen += 1
                #expect(names.contains(String(reference.dropFirst("#/components/schemas/".count))))
            }
            for member in value.object ?? [] { walk(member.value) }
            for element in value.array ?? [] { walk(element) }
        }
        walk(document)
        #expect(seen > 20)
    }

    @Test("Problems fit the schema that the document gives for them")
    func problemsFit() throws {
        let problem = Problem.badRequest([Problem.Fault(path: "$", found: "a", expected: "b")])
        for document in [problem.document, Problem.noSuchTask("a.b", near: "a.c").document] {
            let value = try JSONParser.parse(document.bytes(), maximumBytes: 1 << 16)
            #expect(Schema.problem.faults(in: value) == [])
        }
    }

    @Test("A run reads back from its document as it was")
    func runReadsBack() throws {
        var run = RunRecord(
            id: try #require(ULID("01ARZ3NDEKTSV4RRFFQ69G5FAV")), identifier: "a.b.c", application: "a.b", attempt: 2,
            outcome: .expired, reason: .powerLost, submittedAt: Timestamp(nanoseconds: 1_700_000_000_123_000_000),
            startedAt: Timestamp(nanoseconds: 1_700_000_001_000_000_000),
            expiredAt: Timestamp(nanoseconds: 1_700_000_002_000_000_000),
            endedAt: Timestamp(nanoseconds: 1_700_000_003_999_000_000),
            figures: RunFigures(
                wallTime: .milliseconds(2999), frozenTime: .milliseconds(1500), cpuTime: .milliseconds(7),
                peakMemory: ByteCount(bytes: 12345), signal: 9, exitStatus: 0, result: .integer(-5)),
            degraded: ["memory"], diagnostics: ["a", "b"])
        let (from, to) = (Timestamp(nanoseconds: 1_700_000_001_500_000_000), run.expiredAt)
        run.pauses = [RunPause(from: from, to: to), RunPause(from: from, to: nil)]
        let document = RunDocument.json(run)
        let value = try JSONParser.parse(document.bytes(), maximumBytes: 1 << 16)
        #expect(RunDocument.read(value) == run)
        guard case .json(let schema) = Route.showRun.reply, case .json(let list) = Route.listRuns.reply else { return }
        #expect(
            schema.faults(in: value).map(\.path) == [
                "$.confinement", "$.memoryAtStart", "$.output", "$.payload", "$.settings", "$.events", "$.waits",
            ])
        let runs = try JSONParser.parse(
            JSONOutput.object(["runs": .array([document]), "next": .null, "unreadable": .array([])]).bytes(),
            maximumBytes: 1 << 16)
        #expect(list.faults(in: runs) == [])
    }

    @Test("A termination reads back from its document as it was")
    func terminationReadsBack() throws {
        for reason in TerminationReason.allCases {
            let known = reason == .appWatchdog
            let termination = Termination(
                application: "a.b", at: Timestamp(nanoseconds: 1_700_000_000_123_000_000), reason: reason,
                callback: known ? .didEnterBackground : nil, took: known ? .seconds(5) : nil,
                assertions: known
                    ? [
                        OpenAssertion(
                            id: 3, name: "save", age: .milliseconds(1250),
                            frames: [CodePlace(module: "/a/b.so", offset: 4096), CodePlace(module: "", offset: 1)]),
                        OpenAssertion(id: 4, name: "", age: .zero),
                    ] : [], assertionCount: known ? 2 : 0, wasSuspended: !known)
            let document = TerminationDocument.json(termination)
            let value = try JSONParser.parse(document.bytes(), maximumBytes: 1 << 16)
            #expect(TerminationDocument.read(value) == termination)
            guard case .json(let list) = Route.listTerminations.reply else { return }
            let page = try JSONParser.parse(
                JSONOutput.object(["terminations": .array([document]), "next": .null, "unreadable": .array([])])
                    .bytes(), maximumBytes: 1 << 16)
            #expect(list.faults(in: page) == [])
        }
    }
}
