package import TaskModel

extension WorkerCount {
    package func frame() -> [UInt8] {
        var frame = FrameWriter(.counted)
        frame.integer(descriptors)
        frame.integer(tasks)
        frame.integer(expirations)
        frame.integer(assertions)
        frame.integer(heap)
        frame.integer(changes.rawValue)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        self.init(
            descriptors: try frame.integer(), tasks: try frame.integer(), expirations: try frame.integer(),
            assertions: try frame.integer(), heap: try frame.integer(),
            changes: Changes(rawValue: try frame.integer()))
        try frame.end()
    }
}
