import Control

// Problems of manifests that the page edits.
extension Problem {
    /// It may not be written, or read: what, where, and what to do by hand.
    static func unwritable(_ what: String, _ path: String, _ advice: String) -> Problem {
        Problem(403, "not-writable", title: "Not writable", detail: "\(what); \(path); \(advice)")
    }

    static func changedMeanwhile(_ path: String) -> Problem {
        .conflict("the manifest is not the one that was edited; \(path): it has changed; read it again, then edit it")
    }

    static func existsAlready(_ path: String) -> Problem {
        .conflict("there is a manifest already; \(path); edit that one, or choose another identifier")
    }
}
