/// A `beginBackgroundTask` that has not ended.
package struct OpenAssertion: Sendable, Equatable {
    /// The worker's own number for it, never 0.
    package var id: UInt64
    /// The application's name for it; empty: none, and the code that began it identifies it.
    package var name: String
    /// How long ago it was begun.
    package var age: TimeSpan
    /// The code that began it, innermost first: at most `maximumFrames` places of the application's code; empty:
    /// unknown.
    package var frames: [CodePlace]

    package init(id: UInt64, name: String, age: TimeSpan, frames: [CodePlace] = []) {
        self.id = id
        self.name = name
        self.age = age
        self.frames = frames
    }

    package static let maximumFrames = 8
    /// Of a name, in bytes of UTF-8; the rest is cut off.
    package static let maximumName = 128
}
