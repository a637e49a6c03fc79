import JSON
import TaskModel

/// Reads `transfers`: the client certificates of an application's background transfers, and the servers that they
/// trust.
struct TransfersReader {
    /// Paths that the manifest's permissions let it read.
    let granted: [String]
    /// Identifiers of the manifest's tasks.
    let tasks: [String]

    func read(_ node: DocumentNode?, into document: inout DocumentReader) -> TransferSettings {
        var settings = TransferSettings()
        guard let fields = document.fields(node, keys: ManifestKeys.transfers) else { return settings }
        settings.certificate = file(fields["certificate"], &document) ?? ""
        settings.key = file(fields["key"], &document) ?? ""
        for (one, other) in [("certificate", "key"), ("key", "certificate")] {
            if let node = fields[one], !fields.mentions(other) {
                document.refuse(
                    node, expected: "no \"\(one)\" without a \"\(other)\"",
                    hint: "both may be in one file; name it twice")
            }
        }
        settings.trust = trust(fields["trust"], &document)
        settings.renewal = renewal(fields["renew"], &document)
        return settings
    }

    private func file(_ node: DocumentNode?, _ document: inout DocumentReader) -> String? {
        guard let node, let path = document.path(node, expected: "the path of a PEM file", PathSyntax.fault) else {
            return nil
        }
        guard granted.contains(where: { PatternSyntax.covers($0, path) }) else {
            return document.refused(
                node, expected: "a path that the permissions let the application read",
                hint: "add it to \"permissions\".\"read\"")
        }
        return path
    }

    private func host(_ node: DocumentNode?, _ document: inout DocumentReader) -> String? {
        guard let node,
            let text = document.text(node, limit: HostSyntax.maximumLength, expected: HostSyntax.expected)
        else { return nil }
        guard let host = HostSyntax.host(text) else {
            return document.refused(node, expected: HostSyntax.expected, hint: "leave out scheme, port and path")
        }
        return host
    }

    // MARK: Trust

    private func trust(_ node: DocumentNode?, _ document: inout DocumentReader) -> [TransferTrust] {
        let nodes = document.elements(node, limit: ManifestLimits.trusted, of: "objects with a \"host\"") ?? []
        var trusted: [TransferTrust] = []
        for node in nodes {
            guard let fields = document.fields(node, keys: ManifestKeys.trust) else { continue }
            let host = host(document.required(fields, "host", expected: HostSyntax.expected), &document)
            let pins = pins(fields["spki"], &document)
            let authorities = file(fields["ca"], &document)
            if fields.mentions("spki") == fields.mentions("ca") {
                document.refuse(
                    node, expected: "\"spki\" or \"ca\"",
                    found: fields.mentions("ca") ? "both of them" : "neither of them",
                    hint: "pins of public keys, or the file of an authority")
            }
            guard let host else { continue }
            if trusted.contains(where: { $0.host == host }) {
                document.refuse(node, expected: "each host once", found: "\"\(host)\" again")
                continue
            }
            var one = TransferTrust(host: host)
            (one.pins, one.authorities) = (pins, authorities ?? "")
            trusted.append(one)
        }
        return trusted
    }

    private func pins(_ node: DocumentNode?, _ document: inout DocumentReader) -> [String] {
        let expected = "\"sha256/\" and the digest of a public key in base 64"
        guard let node, let nodes = document.elements(node, limit: ManifestLimits.pins, of: expected) else { return [] }
        if nodes.isEmpty { document.refuse(node, expected: "at least one pin") }
        let hint =
            "openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64"
        return nodes.compactMap {
            document.text($0, limit: 64, expected: expected, hint: hint, where: Self.isPin)
        }
    }

    /// 32 bytes in base 64 have 43 characters and one `=`; of the last character only four bits count.
    private static func isPin(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(7)
        guard text.hasPrefix("sha256/"), digits.count == 44, digits.last == UInt8(ascii: "=") else { return false }
        let body = digits.dropLast()
        return body.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
        } && body.last.map { "AEIMQUYcgkosw048".utf8.contains($0) } == true
    }

    // MARK: Renewal

    private func renewal(_ node: DocumentNode?, _ document: inout DocumentReader) -> TransferRenewal? {
        guard let fields = document.fields(node, keys: ManifestKeys.renew) else { return nil }
        let task = task(
            document.required(fields, "task", expected: "a task of this manifest, which renews credentials"),
            &document)
        let hostsNode = document.required(
            fields, "hosts", expected: "the hosts that the credentials are for, such as [\"api.example.com\"]")
        let nodes = document.elements(hostsNode, limit: ManifestLimits.hosts, of: "hosts") ?? []
        if let hostsNode, nodes.isEmpty, hostsNode.value.array != nil {
            document.refuse(hostsNode, expected: "at least one host")
        }
        let hosts = nodes.compactMap { host($0, &document) }
        guard let task else { return nil }
        return TransferRenewal(task: task, hosts: hosts)
    }

    private func task(_ node: DocumentNode?, _ document: inout DocumentReader) -> String? {
        guard let node, let text = document.identifier(node) else { return nil }
        guard tasks.contains(text) else {
            return document.refused(
                node, expected: "a task of this manifest",
                hint: Nearest.hint(for: text, among: tasks) ?? "add it to \"tasks\"")
        }
        return text
    }
}
