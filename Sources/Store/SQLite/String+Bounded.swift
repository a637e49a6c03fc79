extension String {
    /// At most `limit` bytes of it in UTF-8.
    func bounded(_ limit: Int) -> String {
        if utf8.count <= limit { return self }
        // Not within a character's bytes.
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
