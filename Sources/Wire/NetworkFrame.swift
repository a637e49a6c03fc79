package import TaskModel

/// The machine's network, for a worker that watches it (`network`).
package struct NetworkFrame: Sendable, Equatable, BitwiseCopyable {
    package var access: NetworkAccess

    package init(_ access: NetworkAccess) { self.access = access }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.network)
        frame.write(access)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        access = try frame.read()
        try frame.end()
    }
}
