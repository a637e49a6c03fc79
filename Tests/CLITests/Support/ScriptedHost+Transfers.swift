import Control
import JSON

/// Transfers that a scripted host plays: 1 runs, 2 waits, 3 has failed; the URL decides how an added one ends.
extension ScriptedHost {
    func addTransfers() {
        router.add(.listTransfers) { exchange throws(Control.Problem) in
            var transfers = [Self.transfer(2, waitsFor: "backoff"), Self.transfer(1)]
            if exchange.query.bool("open") != true { transfers.append(Self.transfer(3, error: "timedOut")) }
            switch exchange.query.text("application") {
            case nil, "com.example.app": break
            case "com.example.other": transfers = []
            case let name?: throw .noSuchApplication(name)
            }
            exchange.reply(["transfers": .array(transfers), "next": nil])
        }
        router.add(.showTransfer) { exchange throws(Control.Problem) in
            switch exchange["id"] {
            case "1": exchange.reply(Self.transfer(1))
            case "2": exchange.reply(Self.transfer(2, waitsFor: "backoff"))
            case "3": exchange.reply(Self.transfer(3, error: "timedOut"))
            default: throw .noSuchTransfer(exchange["id"])
            }
        }
        router.add(.addTransfer) { [unowned self] exchange throws(Control.Problem) in
            let url = exchange.body.text("url") ?? ""
            guard !url.hasSuffix("refused") else {
                throw Control.Problem(422, "transfer-refused", title: "", detail: "no room; \(url.count) bytes; wait")
            }
            var transfer = Self.transfer(4)
            if url.hasSuffix("now") { transfer = Self.transfer(4, error: "none") }
            exchange.reply(transfer)
            for end in ["cancelled", "timedOut", "none"] where url.hasSuffix(end) {
                send("transfer.ended", Self.transfer(5, error: "timedOut"))
                send("transfer.changed", Self.transfer(4, waitsFor: "network"))
                send(
                    "transfer.ended", Self.transfer(4, error: end, status: exchange.body["headers"] == nil ? 200 : 404))
            }
        }
        for (route, waits) in [(Route.pauseTransfer, "person"), (.resumeTransfer, nil)] as [(Route, String?)] {
            router.add(route) { exchange throws(Control.Problem) in
                guard exchange["id"] != "3" else { throw .conflict("the transfer is over; 3; see it") }
                exchange.reply(Self.transfer(Int64(exchange["id"]) ?? 0, waitsFor: waits))
            }
        }
        router.add(.cancelTransfer) { $0.reply(Self.transfer(Int64($0["id"]) ?? 0, error: "cancelled")) }
    }

    /// - Parameter error: `none`: it has succeeded; nil: it is not over.
    private static func transfer(
        _ id: Int64, waitsFor: String? = nil, error: String? = nil, status: Int64 = 206
    ) -> JSONOutput {
        let isOver = error != nil
        return [
            "id": .integer(id), "application": "com.example.app", "session": "albums", "task": 7, "kind": "download",
            "url": "https://example.com/a.zip", "state": isOver ? "ended" : waitsFor == nil ? "running" : "waiting",
            "waitsFor": JSONOutput(waitsFor), "waitsUntil": waitsFor == "backoff" ? "2026-03-01T12:00:09.000Z" : nil,
            "received": 4_194_304, "sent": 0, "total": 16_777_216,
            "rate": waitsFor == nil && !isOver ? 1_048_576 : nil, "attempts": 2, "status": .integer(status),
            "address": "192.0.2.7:443", "nextTry": waitsFor == "backoff" ? "2026-03-01T12:00:09.000Z" : nil,
            "lastFault": "the connection was lost", "createdAt": "2026-03-01T12:00:00.000Z",
            "endedAt": isOver ? "2026-03-01T12:00:01.000Z" : nil,
            "error": error == "none" ? nil : JSONOutput(error), "errorCode": error == "timedOut" ? -1001 : nil,
            "cancelReason": nil, "sentence": error == "timedOut" ? "nothing came for 60 s" : nil,
            "file": error == "none" ? "/srv/cache/taskhost-4.download" : nil, "source": nil,
        ]
    }
}
