/// The sentences about one run: a bounded number of bounded ones, whoever says them and however often.
struct RunDiagnostics {
    /// Sentences kept, and bytes of them all together.
    static let most = 16
    static let mostBytes = 16 << 10
    /// So many are for what the host itself has to say: a worker cannot crowd out why it was ended.
    private static let reserved = 4
    private static let reservedBytes = 4 << 10

    private(set) var sentences: [String] = []
    private var bytes = 0

    var isEmpty: Bool { sentences.isEmpty }

    /// Keeps what the host says, as long as there is room.
    mutating func append(_ sentence: String) { keep(sentence, most: Self.most, mostBytes: Self.mostBytes) }

    /// Keeps what a worker says, as long as there is room for that.
    mutating func appendClaim(_ sentence: String) {
        keep(sentence, most: Self.most - Self.reserved, mostBytes: Self.mostBytes - Self.reservedBytes)
    }

    private mutating func keep(_ sentence: String, most: Int, mostBytes: Int) {
        guard sentences.count < most, bytes < mostBytes else { return }
        let kept = sentence.cut(to: mostBytes - bytes)
        bytes += kept.utf8.count
        sentences.append(kept)
    }
}

extension String {
    /// At most so many bytes of it, cut between two characters' codes.
    func cut(to most: Int) -> String {
        guard utf8.count > most else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: most)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
