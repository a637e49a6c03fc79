import TaskModel

/// The diagnostics of one run: a limited number of limited sentences.
struct RunDiagnostics {
    /// Sentences kept, and bytes of them all together.
    static let most = 16
    static let mostBytes = 16 << 10
    /// Reserved for the host's own sentences: a worker cannot crowd out why it was ended.
    private static let reserved = 4
    private static let reservedBytes = 4 << 10

    private(set) var sentences: [String] = []
    private var bytes = 0

    var isEmpty: Bool { sentences.isEmpty }

    /// Adds a sentence of the host, if there is room.
    mutating func append(_ sentence: String) { keep(sentence, most: Self.most, mostBytes: Self.mostBytes) }

    /// Adds a sentence of a worker, if there is room for those.
    mutating func appendClaim(_ sentence: String) {
        keep(sentence, most: Self.most - Self.reserved, mostBytes: Self.mostBytes - Self.reservedBytes)
    }

    private mutating func keep(_ sentence: String, most: Int, mostBytes: Int) {
        guard sentences.count < most, bytes < mostBytes else { return }
        let kept = sentence.cut(toBytes: mostBytes - bytes)
        bytes += kept.utf8.count
        sentences.append(kept)
    }
}
