package import JSON
import TaskModel
import Transfers

/// A transfer as the API and every verb write it: absent values are `null`, never missing.
package enum TransferDocument {
    package static func json(_ view: TransferView) -> JSONOutput {
        .object([
            "id": .integer(view.id),
            "application": .string(view.application),
            "session": .string(view.session),
            "task": .integer(Int64(view.number)),
            "kind": .string(view.kind.name),
            "url": .string(view.url),
            "state": .string(view.state.name),
            "waitsFor": JSONOutput(view.waiting?.reason.name),
            "waitsUntil": JSONOutput(view.waiting?.until?.iso8601),
            "received": .integer(view.received),
            "sent": .integer(view.sent),
            "total": JSONOutput(view.total as Int64?),
            "rate": JSONOutput(view.rate as Int64?),
            "attempts": .integer(Int64(view.attempts)),
            "status": view.status == 0 ? .null : .integer(Int64(view.status)),
            "address": text(view.address),
            "nextTry": JSONOutput(view.nextTry?.iso8601),
            "lastFault": text(view.lastFault),
            "createdAt": .string(view.created.iso8601),
            "endedAt": JSONOutput(view.ended?.iso8601),
            "error": JSONOutput(view.error?.name),
            "errorCode": view.error.map { .integer(Int64($0.rawValue)) } ?? .null,
            "cancelReason": JSONOutput(view.cancelReason?.name),
            "sentence": text(view.sentence),
            "file": text(view.file),
            "source": text(view.source),
        ])
    }

    private static func text(_ text: String) -> JSONOutput { text.isEmpty ? .null : .string(text) }
}
