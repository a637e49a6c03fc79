import JSON
import Manifests

/// Finds the route of a request, checks the request against it, and answers what does not fit with all faults at once.
package final class Router: ControlHandler {
    package typealias Body = (Exchange) throws(Problem) -> Void
    package typealias StreamBody = (Exchange.Fields, any ControlStream) throws(Problem) -> Void

    private struct Entry {
        var route: Route
        /// nil: it is the route of events, which `openStream` feeds.
        var body: Body?
    }

    private let version: String
    private var entries: [Entry] = []
    /// Indices of `entries` by path and method.
    private var table = RouteTable<Int>()
    private var stream: (route: Route, body: StreamBody)?
    /// The OpenAPI document, written once.
    private lazy var document = OpenAPI.document(of: routes, version: version)

    /// - Parameter version: of the program, for the OpenAPI document.
    package init(version: String) {
        self.version = version
        add(.openAPI) { [unowned self] exchange in exchange.reply(document) }
    }

    package var routes: [Route] { entries.filter { $0.body != nil }.map(\.route) + (stream.map { [$0.route] } ?? []) }

    /// Adds what answers a route. It answers once, now or later, or throws the problem.
    package func add(_ route: Route, _ body: @escaping Body) { add(Entry(route: route, body: body)) }

    /// Adds what feeds the route of events.
    package func addStream(_ route: Route, _ body: @escaping StreamBody) {
        stream = (route, body)
        add(Entry(route: route, body: nil))
    }

    private func add(_ entry: Entry) {
        table.add(entry.route.method, entry.route.pattern, entries.count)
        entries.append(entry)
    }

    // MARK: ControlHandler

    package func methods(of path: String) -> [ControlRequest.Method] { table.methods(path) }

    package func letsReaders(_ method: ControlRequest.Method, _ path: String) -> Bool {
        table.match(method, path).map { entries[$0.value].route.isForReaders } ?? (method == .get)
    }

    package func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        do throws(Problem) {
            guard let match = table.match(request.method, request.path), let body = entries[match.value].body else {
                let allowed = table.methods(request.path)
                throw allowed.isEmpty
                    ? .noSuchPath(request.path) : .methodNotAllowed(request.method.rawValue, allowed: allowed)
            }
            let route = entries[match.value].route
            try body(
                Exchange(
                    request, status: route.status, path: match.parameters,
                    query: try RequestCheck.query(request, route), body: try RequestCheck.body(request, route),
                    answer: answer))
        } catch {
            answer(.problem(error))
        }
    }

    package func openStream(_ request: ControlRequest, to client: any ControlStream) -> ControlReply? {
        do throws(Problem) {
            guard let stream else { throw .noSuchPath(request.path) }
            _ = try RequestCheck.body(request, stream.route)
            try stream.body(try RequestCheck.query(request, stream.route), client)
            return nil
        } catch {
            return .problem(error)
        }
    }
}
