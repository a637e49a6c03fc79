import JSON
import Manifests
import TaskModel

/// Takes the input for a request of the control API, `METHOD target`, a line feed, and the body, and holds the router to its
/// promises: one reply, and a problem document with every fault for what does not fit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let line = parts[0].split(separator: 0x20, maxSplits: 1)
    guard line.count == 2, let method = ControlRequest.Method(rawValue: String(decoding: line[0], as: UTF8.self)) else {
        return 0
    }
    let target: RequestTarget
    do throws(Problem) {
        target = try RequestTarget(parsing: Array(line[1]))
    } catch {
        check(.problem(error))
        return 0
    }
    checkRoundTrip(target)
    let request = ControlRequest(
        method, target.path, query: target.query, body: parts.count == 2 ? Array(parts[1]) : [])
    Reached.any = false
    var replies: [ControlReply] = []
    Reached.router.handle(request) { replies.append($0) }
    precondition(replies.count == 1, "one reply")
    check(replies[0])
    if Reached.any { precondition(replies[0].status < 300, "what reached its route was answered by it") }
    return 0
}

/// The whole table, made once; the fuzzer has one thread.
private enum Reached {
    nonisolated(unsafe) static var any = false
    nonisolated(unsafe) static let router = {
        let router = Router(version: "1")
        for route in Route.all where route.name != Route.openAPI.name {
            if case .events = route.reply { continue }
            router.add(route) { exchange in
                any = true
                answer(exchange, route)
            }
        }
        return router
    }()

    private static func answer(_ exchange: Exchange, _ route: Route) {
        for name in route.pattern.parameters { precondition(!exchange[name].isEmpty, "a parameter has a value") }
        checkReadable(exchange.query, route.query.map { ($0.name, $0.schema) })
        if case .object(let properties) = route.body?.unnamed {
            checkReadable(exchange.body, properties.map { ($0.name, $0.schema) })
        }
        exchange.reply(["route": .string(route.name)])
    }
}

private func check(_ reply: ControlReply) {
    let document = try? JSONParser.parse(reply.body, maximumBytes: 16 << 20)
    guard let document, document.object != nil else { preconditionFailure("a reply is a JSON object") }
    guard reply.status >= 400 else { return }
    precondition(reply.contentType == "application/problem+json", "an error is a problem")
    precondition(Schema.problem.faults(in: document).isEmpty, "a problem fits its schema")
    precondition(document["status"]?.integer == Int64(reply.status), "the status is told twice")
    let detail = document["detail"]?.string ?? ""
    precondition(!detail.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a sentence is one line")
    precondition(reply.body.count < 1 << 20, "an error is short")
}

/// What fits its schema can be read without looking again.
private func checkReadable(_ fields: Exchange.Fields, _ properties: [(name: String, schema: Schema)]) {
    for (name, schema) in properties where fields[name] != nil {
        switch schema {
        case .boolean: precondition(fields.bool(name) != nil, "it is a truth value")
        case .integer: precondition(fields.integer(name) != nil, "it is a number")
        case .string(.dateTime), .nullable(.string(.dateTime)): precondition(fields.timestamp(name) != nil, "it is a moment")
        case .string(.base64): precondition(fields.bytes(name) != nil, "it is base 64")
        case .string: precondition(fields.text(name) != nil, "it is a text")
        case .array: precondition(fields.texts(name)?.count == fields[name]?.array?.count, "it is a list of texts")
        default: precondition(fields.members(name) != nil, "it is an object")
        }
    }
}

private func checkRoundTrip(_ target: RequestTarget) {
    let text = RequestTarget.text(path: target.path, query: target.query)
    guard let again = try? RequestTarget(parsing: Array(text.utf8)) else { preconditionFailure("a target reads back") }
    precondition(again.path == target.path, "the path reads back the same")
    precondition(again.query.map(\.name) == target.query.map(\.name), "names read back the same")
    precondition(again.query.map(\.value) == target.query.map(\.value), "values read back the same")
}

extension Schema {
    fileprivate var unnamed: Schema {
        if case .named(_, let schema) = self { schema } else { self }
    }
}

/// No reply of the router's own is a file, or comes from elsewhere.
package final class ReplyFile: Sendable {}
package final class ReplyFlow: Sendable {}
