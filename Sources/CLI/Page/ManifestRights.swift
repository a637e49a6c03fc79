import JSON

/// What nobody decides through the page: as whom a manifest's programs run, and that nothing confines them. Who has a page's
/// key could gain rights by it.
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
        return changed.map { #"the text sets or changes "\#($0)""# }
    }

    private static func value(_ key: String, of document: JSONValue?) -> String? { document?[key]?.compactText }
}
