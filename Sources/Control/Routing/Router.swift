import JSON
import Manifests

/// Finds the route of a request, checks the request against it, and answers what does not fit with all faults at once.
package final class Router: ControlHandler {
    package typealias Body = (Exchange) throws(Problem) -> Void
    package typealias StreamBody = (Exchange.Fields, any ControlStream) throws(Problem) -> Void

    private struct Entry {
        var route: Route
        var body: Body
    }

    private let version: String
    private var entries: [Entry] = []
    private var stream: (route: Route, body: StreamBody)?
    /// The OpenAPI document, written once.
    private lazy var document = OpenAPI.document(of: routes, version: version)

    /// - Parameter version: of the program, for the OpenAPI document.
    package init(version: String) {
        self.version = version
        add(.openAPI) { [unowned self] exchange in exchange.reply(document) }
    }

    package var routes: [Route] { entries.map(\.route) + (stream.map { [$0.route] } ?? []) }

    /// Adds what answers a route. It answers once, now or later, or throws the problem.
    package func add(_ route: Route, _ body: @escaping Body) { entries.append(Entry(route: route, body: body)) }

    /// Adds what feeds the route of events.
    package func addStream(_ route: Route, _ body: @escaping StreamBody) { stream = (route, body) }

    // MARK: ControlHandler

    package func methods(of path: String) -> [ControlRequest.Method] {
        routes.filter { $0.pattern.match(path) != nil }.map(\.method)
    }

    package func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        do throws(Problem) {
            for entry in entries where entry.route.method == request.method {
                guard let path = entry.route.pattern.match(request.path) else { continue }
                let exchange = Exchange(
                    request, status: entry.route.status, path: path,
                    query: try RequestCheck.query(request, entry.route),
                    body: try RequestCheck.body(request, entry.route), answer: answer)
                try entry.body(exchange)
                return
            }
            let allowed = methods(of: request.path)
            throw allowed.isEmpty
                ? .noSuchPath(request.path) : .methodNotAllowed(request.method.rawValue, allowed: allowed)
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
