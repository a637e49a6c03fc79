import Control
import JSON
import TaskModel

/// A pending request in the control API.
enum RequestDocument {
    /// - Parameters:
    ///   - waiting: what for, in words.
    ///   - next: when that can change without an event.
    ///   - gates: those that hold it.
    static func json(_ request: TaskRequest, waiting: String?, next: Timestamp?, gates: [Gate]) -> JSONOutput {
        .object([
            "identifier": .string(request.identifier),
            "application": .string(request.application),
            "kind": .string(request.kind.name),
            "origin": .string(request.terms.origin.name),
            "submittedAt": .string(request.submitted.iso8601),
            "earliestBeginDate": JSONOutput(request.terms.earliestBeginDate?.iso8601),
            "requiresExternalPower": .bool(request.terms.requiresExternalPower),
            "requiresNetworkConnectivity": .bool(request.terms.requiresNetwork),
            "requiredResources": .integer(Int64(request.terms.requiredResources)),
            "attempt": .integer(Int64(request.attempt)),
            "failures": JSONOutput(request.failures as UInt32?),
            "notBefore": JSONOutput(request.notBefore?.iso8601),
            "scheduledFor": JSONOutput(request.scheduledFor?.iso8601),
            "leftOut": JSONOutput(request.leftOut?.iso8601),
            "title": request.title.isEmpty ? .null : .string(request.title),
            "subtitle": request.subtitle.isEmpty ? .null : .string(request.subtitle),
            "waiting": JSONOutput(waiting),
            "next": JSONOutput(next?.iso8601),
            "deferrals": .integer(Int64(request.deferrals)),
            "heldBy": .array(gates.map { .string($0.name) }),
            "payload": .integer(Int64(request.payload.count)),
        ])
    }

    /// A request of the user, from the body's validated fields.
    static func read(_ body: Exchange.Fields, identifier: String, kind: TaskKind) -> TaskRequest {
        var request = TaskRequest(identifier: identifier, kind: kind)
        request.terms.origin = .person
        request.terms.earliestBeginDate = body.timestamp("earliestBeginDate")
        request.terms.requiresExternalPower = body.bool("requiresExternalPower") ?? false
        request.terms.requiresNetwork = body.bool("requiresNetworkConnectivity") ?? false
        request.payload = body.bytes("payload") ?? []
        return request
    }

    static func gate(_ report: GateReport) -> JSONOutput {
        .object([
            "gate": .string(report.gate.name),
            "verdict": .string(report.verdict.name),
            "holds": .bool(report.holds),
            "since": JSONOutput(report.since?.iso8601),
            "next": JSONOutput(report.next?.iso8601),
            "found": .string(report.found),
            "opens": report.opens.isEmpty ? .null : .string(report.opens),
        ])
    }
}
