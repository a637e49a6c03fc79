import TaskModel

/// One host, as `transfers` names it: a name or an address, without a port.
enum HostSyntax {
    static let expected = "a host such as \"api.example.com\" or \"192.0.2.7\""
    static let maximumLength = 253

    /// The host as `TransferSettings.name(of:)` has it; nil when it is none.
    static func host(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let inner = isBracketed ? Substring(text.dropFirst().dropLast()) : text[...]
        guard !inner.contains("/") else { return nil }
        if NetworkAddress(inner) != nil { return TransferSettings.name(of: text) }
        guard !isBracketed, let grant = try? NetworkGrantSyntax.parse("\(text):443"), case .name(let name) = grant.host
        else { return nil }
        return name
    }
}
