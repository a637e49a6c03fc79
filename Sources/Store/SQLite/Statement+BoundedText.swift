extension Statement {
    /// Copies at most `limit` bytes of the text in UTF-8; an empty one binds NULL unless told otherwise.
    func bind(_ index: Int32, bounded text: String, _ limit: Int, emptyIsNull: Bool = true) {
        if text.isEmpty && emptyIsNull { return bindNull(index) }
        if text.utf8.count <= limit { return bind(index, text) }
        let utf8 = text.utf8
        // Not within a character's bytes.
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = utf8.index(before: end) }
        bind(index, String(text[..<end]))
    }
}
