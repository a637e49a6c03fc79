import Foundation

/// Brings documents to UTF-8 before they are parsed. FoundationXML ends the process when it meets bytes that are no UTF-8 in
/// an element's name or attribute (it unwraps the text that it cannot make); so it gets none.
enum FeedEncoding {
    /// The encodings of feeds in the wild that Foundation knows on Linux, by their names in lower case. ISO-8859-15 is
    /// ISO-8859-1 but for eight signs.
    private static let known: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1,
        "iso-8859-15": .isoLatin1, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "iso-8859-2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "shift_jis": .shiftJIS,
        "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    ]

    /// The document in UTF-8 without its declaration; what is no character becomes U+FFFD.
    static func utf8(_ document: Data) throws(FeedProblem) -> Data {
        let text: String
        if let wide = wideEncoding(document) {
            guard let decoded = String(data: document, encoding: wide) else { throw .notXML(line: 1, "no UTF-16") }
            text = decoded
        } else {
            let name = declaredEncoding(document) ?? "utf-8"
            guard let encoding = known[name] else {
                throw .notXML(line: 1, "its encoding, \"\(name)\", is not known here")
            }
            // What says UTF-16 in readable letters is not.
            let isUTF8 = [.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian].contains(encoding)
            let decoded = isUTF8 ? nil : String(data: document, encoding: encoding)
            text = decoded ?? String(decoding: document, as: UTF8.self)
        }
        return Data(withoutDeclaration(text).utf8)
    }

    /// UTF-16 shows itself: by a byte order mark, or by a zero byte beside the first `<`.
    private static func wideEncoding(_ document: Data) -> String.Encoding? {
        switch (document.first, document.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): .utf16
        case (UInt8(ascii: "<"), 0): .utf16LittleEndian
        case (0, UInt8(ascii: "<")): .utf16BigEndian
        default: nil
        }
    }

    /// The name in `<?xml … encoding="NAME" …?>`, in lower case.
    private static func declaredEncoding(_ document: Data) -> String? {
        let head = String(decoding: document.prefix(256), as: UTF8.self)
        guard let declaration = head.firstMatch(of: /^\u{FEFF}?<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/) else {
            return nil
        }
        return declaration.1.lowercased()
    }

    /// Its lines stay, so that faults are found where they are told.
    private static func withoutDeclaration(_ text: String) -> Substring {
        let start = text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        guard start.starts(with: "<?xml ".unicodeScalars), let end = text.firstRange(of: "?>") else {
            return Substring(start)
        }
        return text[end.upperBound...]
    }
}
