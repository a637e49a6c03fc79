import Control
import Host
import JSON
import Record
import TaskModel

// Background transfers: their lists, and the user's commands for them.
extension HostAPI {
    func listTransfers(_ exchange: Exchange) throws(Problem) {
        let application = exchange.query.text("application")
        let isOpen = exchange.query.bool("open") ?? false
        if let application { try expect(application) }
        try past.list(exchange, "transfers") { [unowned self] (before, limit) throws(StoreError) in
            try host.history.transfers(application: application, isOpen: isOpen, before: before, limit: limit)
                .map { TransferDocument.json(view(of: $0)) }
        }
    }

    /// Without its manifest an application is known while the record has its transfers.
    private func expect(_ application: String) throws(Problem) {
        guard host.installed.application(named: application) == nil else { return }
        let page = try PastAPI.reading(
            host.history.transfers(application: application, isOpen: false, before: nil, limit: 1))
        guard page.elements.isEmpty else { return }
        throw .noSuchApplication(application, near: host.installed.nearestApplication(to: application))
    }

    func transfer(_ text: String) throws(Problem) -> BackgroundTransfer {
        guard let id = Int64(text), let found = try PastAPI.reading(host.history.transfer(id)) else {
            throw .noSuchTransfer(text)
        }
        return found
    }

    func document(of transfer: BackgroundTransfer) -> JSONOutput { TransferDocument.json(view(of: transfer)) }

    private func view(of transfer: BackgroundTransfer) -> TransferView {
        var view = TransferView(transfer)
        host.transfers.fill(&view)
        host.transfers.watch(transfer.id)
        return view
    }

    // MARK: Acting

    /// A download that is completely on disk when its answer is sent.
    func addTransfer(_ exchange: Exchange) throws(Problem) {
        let application = try application(exchange.body.text("application") ?? "")
        let request = try request(exchange.body)
        let id: Int64
        do throws(TransferRefusal) {
            id = try host.transfers.add(request, to: application)
        } catch {
            throw Problem(422, "transfer-refused", title: "Transfer refused", detail: error.sentence)
        }
        let name = host.installed.name(of: application)
        host.note(.transferAdded, name, "transfer \(id); \(ShownURL.text(of: request.url))")
        answer(exchange, afterChanging: "\(id)")
    }

    private func request(_ body: Exchange.Fields) throws(Problem) -> TransferRequest {
        let url = body.text("url") ?? ""
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", ShownURL.text(of: url) != ShownURL.none else {
            throw .meaningless(
                "$.url", found: ShownURL.text(of: url), expected: "a URL that begins with http:// or https://")
        }
        var request = TransferRequest(kind: .download, url: url, method: "GET")
        request.headers = (body.members("headers") ?? []).map { HTTPHeader($0.key, $0.value.string ?? "") }
        request.sha256 = body.text("sha256").flatMap { SHA256Text.bytes(of: $0) }
        return request
    }

    private func change(
        _ exchange: Exchange, _ kind: JournalKind, by step: (BackgroundTransfers, Int64) -> Bool
    ) throws(Problem) {
        let found = try transfer(exchange["id"])
        let id = found.id
        guard step(host.transfers, id) else {
            throw .conflict("the transfer is over; \(id); see taskhost transfers show \(id)")
        }
        host.note(kind, found.application, "transfer \(id); \(ShownURL.text(of: found.request.url))")
        answer(exchange, afterChanging: "\(id)")
    }

    /// Answers with the transfer as it is once the change is on disk.
    private func answer(_ exchange: Exchange, afterChanging id: String) {
        host.afterCommit { [unowned self] in
            do throws(Problem) {
                exchange.reply(document(of: try transfer(id)))
            } catch {
                exchange.refuse(error)
            }
        }
    }

    func addTransferRoutes() {
        router.add(.listTransfers) { [unowned self] (exchange) throws(Problem) in try listTransfers(exchange) }
        router.add(.showTransfer) { [unowned self] (exchange) throws(Problem) in
            exchange.reply(document(of: try transfer(exchange["id"])))
        }
        router.add(.addTransfer) { [unowned self] (exchange) throws(Problem) in try addTransfer(exchange) }
        let steps: [(Route, JournalKind, (BackgroundTransfers, Int64) -> Bool)] = [
            (.pauseTransfer, .transferPaused, { $0.hold($1) }), (.resumeTransfer, .transferResumed, { $0.release($1) }),
            (.cancelTransfer, .transferCancelled, { $0.cancel($1) }),
        ]
        for (route, kind, step) in steps {
            router.add(route) { [unowned self] (exchange) throws(Problem) in try change(exchange, kind, by: step) }
        }
    }
}
