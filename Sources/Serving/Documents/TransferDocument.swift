package import Host
package import JSON
import TaskModel
import Transfers

/// A transfer as the API and every verb write it: absent values are `null`, never missing. No header of it is written, and
/// neither user, password nor query of its URL.
package enum TransferDocument {
    package static func json(_ view: TransferView) -> JSONOutput {
        let transfer = view.transfer
        let (progress, end) = (transfer.progress, transfer.end)
        return .object([
            "id": .integer(transfer.id),
            "application": .string(transfer.application),
            "session": .string(transfer.sessionName),
            "task": .integer(Int64(transfer.number)),
            "kind": .string(transfer.request.kind.name),
            "url": .string(ShownURL.text(of: transfer.request.url)),
            "state": .string(transfer.state.name),
            "waitsFor": JSONOutput(view.waiting?.reason.name),
            "waitsUntil": JSONOutput(view.waiting?.until?.iso8601),
            "received": .integer(progress.received),
            "sent": .integer(progress.sent),
            "total": JSONOutput(progress.total as Int64?),
            "rate": JSONOutput(view.rate as Int64?),
            "attempts": .integer(Int64(progress.attempts)),
            "status": progress.status == 0 ? .null : .integer(Int64(progress.status)),
            "address": text(progress.address),
            "nextTry": JSONOutput(end == nil ? progress.nextTry?.iso8601 : nil),
            "lastFault": text(progress.lastFault),
            "createdAt": .string(transfer.created.iso8601),
            "endedAt": JSONOutput(end?.at.iso8601),
            "error": JSONOutput(end?.error?.name),
            "errorCode": end?.error.map { .integer(Int64($0.rawValue)) } ?? .null,
            "cancelReason": JSONOutput(end?.cancelReason?.name),
            "sentence": text(end?.sentence ?? ""),
            "file": text(end?.file ?? ""),
            "source": text(transfer.request.file),
        ])
    }

    private static func text(_ text: String) -> JSONOutput { text.isEmpty ? .null : .string(text) }
}
