package import TaskModel

/// A `beginBackgroundTask` of the worker (`assertionBegan`).
package struct AssertionBegan: Sendable, Equatable {
    /// The worker's own number for it: each is higher than the one before, the first at least 1.
    package var id: UInt64
    /// Empty: it has none.
    package var name: String
    /// The code that began it, innermost first, as return addresses: at most `OpenAssertion.maximumFrames` places outside of
    /// the worker's own code.
    package var frames: [CodePlace]

    package init(id: UInt64, name: String, frames: [CodePlace] = []) {
        self.id = id
        self.name = name
        self.frames = frames
    }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.assertionBegan)
        frame.integer(id)
        frame.text(name, most: OpenAssertion.maximumName)
        frame.write(frames)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        id = try frame.integer()
        name = try frame.text(most: OpenAssertion.maximumName)
        frames = try frame.read()
        guard id > 0, frames.count <= OpenAssertion.maximumFrames else { throw .badValue }
        try frame.end()
    }
}

/// One of them has ended (`assertionEnded`).
package struct AssertionEnded: Sendable, Equatable, BitwiseCopyable {
    package var id: UInt64

    package init(id: UInt64) { self.id = id }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.assertionEnded)
        frame.integer(id)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        id = try frame.integer()
        guard id > 0 else { throw .badValue }
        try frame.end()
    }
}

/// How often the application would be called to fetch, at most (`fetchInterval`).
package struct FetchInterval: Sendable, Equatable, BitwiseCopyable {
    /// Whole seconds, 0 to `most`; nil: never.
    package var seconds: Int64?

    /// About 290 years: the range of a count of nanoseconds.
    package static let most: Int64 = 9_000_000_000

    package init(seconds: Int64?) { self.seconds = seconds }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.fetchInterval)
        frame.integer(seconds ?? -1)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        let number: Int64 = try frame.integer()
        guard (-1...Self.most).contains(number) else { throw .badValue }
        seconds = number < 0 ? nil : number
        try frame.end()
    }
}

extension CodePlace: FramePart {
    /// The longest path of a file, in bytes.
    package static let longestModule = 255

    package func write(to frame: inout FrameWriter) {
        frame.integer(offset)
        frame.text(module, most: Self.longestModule)
    }

    package init(partOf frame: inout FrameReader) throws(WireError) {
        let offset: UInt64 = try frame.integer()
        self.init(module: try frame.text(most: Self.longestModule), offset: offset)
    }
}
