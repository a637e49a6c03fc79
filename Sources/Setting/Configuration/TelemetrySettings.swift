import Linux
import TaskModel

/// Where traces go, and what they say of this host.
package struct TelemetrySettings: Sendable, Equatable {
    /// The variables of OpenTelemetry that the host knows.
    package enum Variable: String, CaseIterable, Sendable {
        case endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
        case name = "OTEL_SERVICE_NAME"
        case attributes = "OTEL_RESOURCE_ATTRIBUTES"
        case disabled = "OTEL_SDK_DISABLED"
    }

    /// The collector's URL, without `/v1/traces`.
    package var endpoint: String
    package var name = "taskhost"
    /// Further ones of the resource.
    package var attributes: [(key: String, value: String)] = []

    package static func == (a: TelemetrySettings, b: TelemetrySettings) -> Bool {
        a.endpoint == b.endpoint && a.name == b.name && a.attributes.elementsEqual(b.attributes, by: ==)
    }

    /// - Parameters:
    ///   - endpoint: the configuration's; it counts before the variable's.
    ///   - variable: the value of a variable; nil: it is not set.
    /// - Returns: nil: traces are off.
    package init?(endpoint: String?, variable: (Variable) -> String?) {
        guard variable(.disabled)?.lowercased() != "true",
            var endpoint = endpoint ?? variable(.endpoint).flatMap({ $0.isEmpty ? nil : $0 })
        else { return nil }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        self.endpoint = endpoint
        for pair in (variable(.attributes) ?? "").split(separator: ",").prefix(Self.mostAttributes) {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            guard parts.count == 2, !parts[0].isEmpty else { continue }
            if parts[0] == "service.name" { name = parts[1] } else { attributes.append((parts[0], parts[1])) }
        }
        if let own = variable(.name), !own.isEmpty { name = own }
    }

    /// Whether it is a collector's URL: of HTTP, without user, query and fragment.
    package static func isEndpoint(_ text: String) -> Bool {
        WebURL(text) != nil && text.utf8.allSatisfy { $0 < 0x80 && !"?#@".utf8.contains($0) }
            && !text.hasSuffix("/v1/traces")
    }

    private static let mostAttributes = 64

    /// The variable's value in this process.
    package static func variable(_ name: Variable) -> String? { ThisProcess.variable(name.rawValue) }
}

extension Substring {
    /// Without blanks at its ends, percent-decoded.
    fileprivate var trimmed: String {
        var bytes: [UInt8] = []
        var rest = Array(drop { $0 == " " }.utf8)[...]
        while let last = rest.last, last == UInt8(ascii: " ") { rest.removeLast() }
        while let byte = rest.first {
            rest.removeFirst()
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
