/// A place in a text that was parsed.
package struct SourcePosition: Hashable, Sendable, BitwiseCopyable {
    /// Lines count from 1 and end with a line feed.
    package var line: Int
    /// Unicode scalars from the beginning of the line, counted from 1.
    package var column: Int
    /// Bytes from the beginning of the text, counted from 0.
    package var offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The beginning of a text.
    package static let start = SourcePosition(line: 1, column: 1, offset: 0)
}
