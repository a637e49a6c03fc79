import Control
import JSON

/// Answers what the page asks about manifests: asks the daemon which it has, does the work, and has the daemon read them again
/// before a write is acknowledged. *Thread*: the loop's.
final class ManifestDoor {
    private let manifests: any PageManifests
    private let forwarder: Forwarder
    private let isReadOnly: Bool

    /// Bytes of a request: JSON may need two for one of the text's, and has a path and a digest.
    var bodyBytes: Int { Self.bodyBytes(for: manifests) }

    static func bodyBytes(for manifests: any PageManifests) -> Int { 2 * manifests.mostBytes + 64 << 10 }

    init(_ manifests: any PageManifests, _ forwarder: Forwarder, isReadOnly: Bool) {
        self.manifests = manifests
        self.forwarder = forwarder
        self.isReadOnly = isReadOnly
    }

    func handle(_ place: PagePlace, _ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        do throws(Problem) {
            switch place {
            case .manifest where request.method == .get:
                guard let path = request.query.first(where: { $0.name == "path" })?.value else {
                    throw .badRequest([.init(path: "query.path", found: "nothing", expected: "a manifest's path")])
                }
                know(answer) { [manifests, isReadOnly] (known) throws(Problem) -> ControlReply in
                    guard known.has(path) else { throw .noSuchManifest(path) }
                    return .json(try manifests.show(path, of: known, isReadOnly: isReadOnly))
                }
            case .manifest: try write(ManifestBody(request.body, most: bodyBytes), answer)
            case .manifestCheck:
                let body = try ManifestBody(request.body, most: bodyBytes)
                let (text, path) = (try body.text("text"), try body.optionalText("path"))
                know(answer) { [manifests] (known) throws(Problem) -> ControlReply in
                    .json(try manifests.check(text, at: path, of: known))
                }
            case .manifestProposal:
                let job = try ManifestBody(request.body, most: bodyBytes).job()
                know(answer) { [manifests] (known) throws(Problem) -> ControlReply in
                    .json(try manifests.propose(job, of: known))
                }
            case .file, .session, .api, .nothing: throw .noSuchPath(request.path)
            }
        } catch {
            answer(.problem(error))
        }
    }

    private func write(_ body: ManifestBody, _ answer: @escaping (ControlReply) -> Void) throws(Problem) {
        let (text, path) = (try body.text("text"), try body.optionalText("path"))
        let digest = try body.optionalText("digest")
        let reloading: (ControlReply) -> Void = { [forwarder] reply in
            guard reply.status < 300 else { return answer(reply) }
            // The file is there, whatever becomes of this: a daemon reads it at its next start at the latest.
            forwarder.ask(ControlRequest(.post, Route.reload.pattern.description)) { _ in answer(reply) }
        }
        know(reloading) { [manifests] (known) throws(Problem) -> ControlReply in
            try manifests.write(text, at: path, replacing: digest, of: known)
        }
    }

    /// Asks the daemon for its manifests, then does something with them.
    private func know(
        _ answer: @escaping (ControlReply) -> Void, _ work: @escaping (KnownManifests) throws(Problem) -> ControlReply
    ) {
        ask(.host, answer) { [self] host in
            ask(.listManifests, answer) { list in
                let known = KnownManifests(
                    paths: Set(list["manifests"]?.array?.compactMap { $0["path"]?.string } ?? []),
                    places: host["manifests"]?.array?.compactMap(\.string) ?? [])
                do throws(Problem) {
                    answer(try work(known))
                } catch {
                    answer(.problem(error))
                }
            }
        }
    }

    /// A refusal of the daemon is the answer.
    private func ask(
        _ route: Route, _ answer: @escaping (ControlReply) -> Void, _ next: @escaping (JSONValue) -> Void
    ) {
        forwarder.ask(ControlRequest(.get, route.pattern.description)) { reply in
            guard reply.status < 300 else { return answer(reply) }
            guard let document = try? JSONParser.parse(reply.body, maximumBytes: Forwarder.wholeBytes) else {
                return answer(.problem(.badAnswer(route.pattern.description)))
            }
            next(document)
        }
    }
}
