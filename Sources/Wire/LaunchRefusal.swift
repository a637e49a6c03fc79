package import TaskModel

/// Why a zygote or a worker cannot do its part of a launch: the body of `launchFailed` and of `refused`.
package struct LaunchRefusal: Sendable, Equatable {
    /// The errno of what failed; 0: no call did.
    package var code: Int32
    /// For display; cut off at `maximumSentence` bytes.
    package var sentence: String

    package static let maximumSentence = 4096
    /// The zygote itself, which has no worker yet.
    package static let ownCallID = RunHandle(index: .max, generation: .max)
    /// Of a worker that was made ahead: a file that its confinement names was replaced since. No errno is negative.
    package static let stale = LaunchRefusal(code: -1, sentence: "a file that its confinement names was replaced")

    package init(code: Int32, sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    package func frame(_ kind: FrameKind, run: RunHandle) -> [UInt8] {
        var frame = FrameWriter(kind, run: run)
        frame.integer(code)
        frame.blob(sentence.utf8.prefix(Self.maximumSentence))
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        (code, sentence) = try frame.read()
        try frame.end()
    }
}
