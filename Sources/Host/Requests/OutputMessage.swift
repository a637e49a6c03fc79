import TaskModel

/// What a run has printed, as text for the task that gets it: a line that says what ended how, an empty line, the output.
struct OutputMessage {
    /// One line.
    var subject: String
    var output: OutputEnds
    /// The command that shows all of the output.
    var end: String

    /// The payload of the request: what already waits, and this. Where there is no room for the output, this is its first line
    /// and where the output is.
    ///
    /// - Returns: nil: there is no room for that either.
    func payload(behind waiting: [UInt8]) -> [UInt8]? {
        let front = waiting.isEmpty ? [] : waiting + [0x0A]
        for text in [whole, Array("\(subject)\n\n[\(end)]\n".utf8)]
        where front.count + text.count <= TaskRequest.maximumPayload {
            return front + text
        }
        return nil
    }

    private var whole: [UInt8] {
        var text = Array("\(subject)\n\n".utf8)
        for piece in output.head { text += piece.bytes }
        if output.dropped > 0 {
            text += Array("\n[\(output.dropped) bytes are left out here; \(end)]\n".utf8)
        }
        for piece in output.tail { text += piece.bytes }
        if text.last != 0x0A { text.append(0x0A) }
        return text
    }
}
