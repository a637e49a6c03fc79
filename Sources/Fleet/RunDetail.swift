package import JSON
import TaskModel

/// What the fleet's history says of a run beside its outcome: the column `detail`, an object. Its keys are those of a run
/// document.
package struct RunDetail: Sendable {
    /// Sentences that it has, and bytes of each.
    private static let (mostSentences, mostBytes) = (16, 1024)

    private let document: JSONValue?

    /// - Parameter text: of a host of any version.
    init(_ text: String) { document = try? JSONParser.parse(text, maximumBytes: 1 << 17) }

    /// Why it ended as it did, shortly; nil: there is nothing to say.
    package var note: String? {
        let status = document?["exitStatus"]?.integer.flatMap { $0 == 0 ? nil : "exit status \($0)" }
        let signal = document?["signal"]?.integer.map { "signal \($0)" }
        let words = [document?["reason"]?.string, signal ?? status, document?["diagnostics"]?.array?.first?.string]
        let said = words.compactMap(\.self)
        return said.isEmpty ? document?["lastLine"]?.string : said.joined(separator: ", ")
    }

    /// Its members.
    package var json: [JSONOutput.Member] {
        guard case .object(let members)? = document?.content else { return [] }
        return members.map { .init($0.key, JSONOutput($0.value)) }
    }

    static func text(_ run: RunRecord) -> String {
        var members: [JSONOutput.Member] = [
            .init("run", .string(run.id.description)), .init("attempt", .unsigned(UInt64(run.attempt))),
        ]
        if let reason = run.reason { members.append(.init("reason", .string(reason.name))) }
        if let signal = run.figures.signal { members.append(.init("signal", .integer(Int64(signal)))) }
        if let status = run.figures.exitStatus { members.append(.init("exitStatus", .integer(Int64(status)))) }
        if let line = run.lastLine { members.append(.init("lastLine", .string(line.cut(toBytes: mostBytes)))) }
        if !run.diagnostics.isEmpty {
            let sentences = run.diagnostics.prefix(mostSentences).map { JSONOutput.string($0.cut(toBytes: mostBytes)) }
            members.append(.init("diagnostics", .array(sentences)))
        }
        return JSONOutput.object(members).text()
    }
}
