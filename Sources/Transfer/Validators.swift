import CCurl
import TaskModel

/// What an answer says of the version of its file (RFC 9110 8.8), where it can guard a part of the file.
struct Validators: Equatable {
    /// A strong ETag, in its quotes; nil: it had none.
    let tag: String?
    /// A `Last-Modified` that counts as strong (RFC 9110 8.8.2.2); nil: it had none.
    let modified: String?

    /// nil: there is none; a weak ETag rules out the date too (RFC 9110 13.1.5). So does one that is too long to be kept.
    init?(_ answer: Answer) {
        tag = answer["ETag"]
        modified = Self.strongDate(of: answer)
        guard tag.map(Self.isStrong) ?? (modified != nil), text.utf8.count <= TransferLimit.headers else { return nil }
    }

    /// Reads `text`; nil: it is empty.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("\""), let quote = text.lastIndex(of: "\"") else {
            (tag, modified) = (nil, text)
            return
        }
        tag = String(text[...quote])
        let rest = text[text.index(after: quote)...].drop { $0 == " " }
        modified = rest.isEmpty ? nil : String(rest)
    }

    /// As it is stored: the ETag, the date, or both with a blank between them.
    var text: String { [tag, modified].compactMap(\.self).joined(separator: " ") }

    /// The value of `If-Range`.
    var guarding: String { tag ?? modified ?? "" }

    /// Whether a later answer is of the same version: it has each of them, and no ETag where there was none.
    func areOf(_ answer: Answer) -> Bool {
        answer["ETag"] == tag && (modified == nil || answer["Last-Modified"] == modified)
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }

    /// The answer is at least a second younger than the file: a file that changed twice in one second has two versions with one
    /// date.
    private static func strongDate(of answer: Answer) -> String? {
        guard let text = answer["Last-Modified"], !text.contains("\"") else { return nil }
        let modified = unsafe curl_getdate(text, nil)
        let date = unsafe curl_getdate(answer["Date"] ?? "", nil)
        return modified >= 0 && date > modified ? text : nil
    }
}
