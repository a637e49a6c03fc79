import JSON

/// What nobody decides through the page: as whom a manifest's programs run, that nothing confines them, the capabilities that they
/// keep, and the files that the host reads for them with rights of its own. Who has a page's key could gain rights by it.
enum ManifestRights {
    /// Keys whose values have to stay.
    private static let kept = ["user", "group"]

    /// What a text sets that it must not; nil: nothing.
    ///
    /// - Parameter former: what it takes the place of; nil: nothing that can be read.
    static func refusal(of text: JSONValue, instead former: JSONValue?) -> String? {
        let level = text["confinement"]?.string
        if level == "none", former?["confinement"]?.string != level { return #"the text sets "confinement": "none""# }
        let changed = kept.first { value($0, of: text) != value($0, of: former) }
        if let changed { return #"the text sets or changes "\#(changed)""# }
        let more = capabilities(of: text).subtracting(capabilities(of: former)).min()
        if let more { return "the text grants the capability \(more)" }
        let file = hostFiles(of: text).subtracting(hostFiles(of: former)).min()
        return file.map { "the text has the host read \($0)" }
    }

    private static func capabilities(of document: JSONValue?) -> Set<String> {
        Set(document?["permissions"]?["capabilities"]?.array?.compactMap(\.string) ?? [])
    }

    /// Secrets, and the certificate and key of transfers.
    private static func hostFiles(of document: JSONValue?) -> Set<String> {
        let secrets = document?["tasks"]?.object?.flatMap { $0.value["secrets"]?.object ?? [] } ?? []
        let transfers = document?["transfers"]?.object?.filter { $0.isNamed("certificate") || $0.isNamed("key") } ?? []
        return Set((secrets + transfers).compactMap(\.value.string))
    }

    private static func value(_ key: String, of document: JSONValue?) -> String? { document?[key]?.compactText }
}
