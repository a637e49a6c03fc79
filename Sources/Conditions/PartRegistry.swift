import Linux

/// Gives each part of a compound source its own range of tags: the part's number above its own tags.
final class PartRegistry: SourceRegistry {
    /// Tags of a part are below it.
    static let span: UInt32 = 256

    private let registry: any SourceRegistry
    private let base: UInt32

    init(_ registry: any SourceRegistry, part: Int) {
        self.registry = registry
        base = UInt32(part) * Self.span
    }

    func add(_ fd: Int32, tag: UInt32, urgent: Bool) throws(SystemError) {
        try registry.add(fd, tag: base + tag, urgent: urgent)
    }
    func setWritable(_ fd: Int32, _ on: Bool, tag: UInt32) { registry.setWritable(fd, on, tag: base + tag) }
    func setReadable(_ fd: Int32, _ on: Bool, tag: UInt32) { registry.setReadable(fd, on, tag: base + tag) }
    func remove(_ fd: Int32) { registry.remove(fd) }
}
