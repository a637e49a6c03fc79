package import TaskModel

/// A manifest file as a host found it: kept whenever it differs from before, so that somebody can ask what changed.
package struct ManifestVersion: Sendable, Equatable {
    /// As the host names the file.
    package var path: String
    package var at: Timestamp
    /// Of its bytes: equal ones have the same; nil: the file is gone.
    package var mark: Int64?
    /// nil: it is gone, or longer than `longestText`.
    package var text: [UInt8]?

    /// The newest versions of a file that are kept.
    package static let most = 8
    package static let longestText = 64 << 10

    package init(path: String, at: Timestamp, mark: Int64?, text: [UInt8]?) {
        self.path = path
        self.at = at
        self.mark = mark
        self.text = text.flatMap { $0.count <= Self.longestText ? $0 : nil }
    }

    /// A mark for these bytes: FNV-1a, 64 bits. It tells versions apart that people write, and guards nothing.
    package static func mark(of bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}
