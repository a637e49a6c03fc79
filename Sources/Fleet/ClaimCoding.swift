import JSON
import Record
import TaskModel

// Requests, keys and times as the database has them.

extension ULID {
    /// As PostgreSQL's uuid.
    package var uuid: String {
        let digits = Hexadecimal.text(high) + Hexadecimal.text(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// nil: it is no uuid.
    init?(uuid: String) {
        let digits = uuid.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// PostgreSQL's bytea as text (8.4.1).
enum Bytea {
    private static let mark = "\\x"

    /// nil: it is no bytea.
    static func bytes(_ text: String) -> [UInt8]? {
        text.hasPrefix(mark) ? Hexadecimal.bytes(text.dropFirst(mark.count)) : nil
    }
}

extension TimeSpan {
    /// As PostgreSQL's interval.
    var interval: String { "\(nanoseconds / 1000) microseconds" }
}

/// What a request has beside its identifier, payload and progress: the column `details`, an object. Keys that a program does not
/// know are another version's, and left alone.
enum RequestDetails {
    static func text(_ request: TaskRequest) -> String {
        let terms = request.terms
        var members: [JSONOutput.Member] = [
            .init("kind", .string(request.kind.name)), .init("origin", .string(terms.origin.name)),
        ]
        func add(_ key: String, _ value: JSONOutput, if isThere: Bool) {
            if isThere { members.append(.init(key, value)) }
        }
        add("externalPower", .bool(true), if: terms.requiresExternalPower)
        add("network", .bool(true), if: terms.requiresNetwork)
        add("strategy", .string("fail"), if: terms.strategy == .fail)
        add("resources", .unsigned(UInt64(terms.requiredResources)), if: terms.requiredResources != 0)
        add("title", .string(request.title), if: !request.title.isEmpty)
        add("subtitle", .string(request.subtitle), if: !request.subtitle.isEmpty)
        add("attempt", .integer(Int64(request.attempt)), if: request.attempt != 1)
        add("failures", .integer(Int64(request.failures)), if: request.failures != 0)
        add("deferrals", .integer(Int64(request.deferrals)), if: request.deferrals != 0)
        add("settings", .string(Hexadecimal.text(request.settings)), if: !request.settings.isEmpty)
        return JSONOutput.object(members).text()
    }

    /// - Parameter text: of a program of another version, or of somebody's SQL.
    static func request(_ identifier: String, details text: String) -> TaskRequest {
        let details = try? JSONParser.parse(text, maximumBytes: 1 << 20)
        var terms = RequestTerms()
        terms.origin = details?["origin"]?.string.flatMap(RequestOrigin.init(name:)) ?? .person
        terms.requiresExternalPower = details?["externalPower"]?.bool ?? false
        terms.requiresNetwork = details?["network"]?.bool ?? false
        terms.strategy = details?["strategy"]?.string == "fail" ? .fail : .queue
        terms.requiredResources = UInt32(clamping: details?["resources"]?.integer ?? 0)
        var request = TaskRequest(
            identifier: identifier, kind: details?["kind"]?.string.flatMap(TaskKind.init(name:)) ?? .processing,
            terms: terms, title: details?["title"]?.string ?? "", subtitle: details?["subtitle"]?.string ?? "")
        request.settings = details?["settings"]?.string.flatMap { Hexadecimal.bytes($0) } ?? []
        return request
    }
}
