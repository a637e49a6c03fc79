import Testing

extension Tool {
    /// Expects one sentence `taskhost: what; where; what to do` that holds all the words, and the status.
    func expectSentence(
        _ words: [String], status expected: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(status == expected, "\(errors)", sourceLocation: sourceLocation)
        #expect(sentences.count == 1, "\(errors)", sourceLocation: sourceLocation)
        for sentence in sentences {
            #expect(
                sentence.split(separator: "; ").count >= 3, "what; where; what to do: \(sentence)",
                sourceLocation: sourceLocation)
        }
        for word in words {
            #expect(errors.contains(word), "\(word) is missing in: \(errors)", sourceLocation: sourceLocation)
        }
    }
}
