import JSON
import Scheduling
import TaskModel

/// A pending request as the control API tells of it.
enum RequestDocument {
    static func json(
        _ request: NewRequest, failures: UInt32, deferrals: UInt8, notBefore: Timestamp?, identifier: String,
        application: String, title: String, subtitle: String, leftOut: Timestamp?, waiting: String?, next: Timestamp?
    ) -> JSONOutput {
        .object([
            "identifier": .string(identifier),
            "application": .string(application),
            "kind": .string(request.kind.name),
            "origin": .string(request.terms.origin.name),
            "submittedAt": .string(request.submitted.iso8601),
            "earliestBeginDate": JSONOutput(request.terms.earliestBeginDate?.iso8601),
            "requiresExternalPower": .bool(request.terms.requiresExternalPower),
            "requiresNetworkConnectivity": .bool(request.terms.requiresNetwork),
            "requiredResources": .integer(Int64(request.terms.requiredResources)),
            "attempt": .integer(Int64(request.attempt)),
            "failures": JSONOutput(failures as UInt32?),
            "notBefore": JSONOutput(notBefore?.iso8601),
            "scheduledFor": JSONOutput(request.scheduledFor?.iso8601),
            "leftOut": JSONOutput(leftOut?.iso8601),
            "title": title.isEmpty ? .null : .string(title),
            "subtitle": subtitle.isEmpty ? .null : .string(subtitle),
            "waiting": JSONOutput(waiting),
            "next": JSONOutput(next?.iso8601),
            "deferrals": .integer(Int64(deferrals)),
        ])
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
